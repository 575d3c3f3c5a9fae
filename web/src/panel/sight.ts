/** Tells whether something is in sight: at first, and whenever that has changed. Returns how to stop. */
export function watchSight(element: Element, tell: (inSight: boolean) => void): () => void {
  const seen = new IntersectionObserver((changes) => {
    // A page that is busy hears of several changes at once. The last is how it is now, and nothing follows it.
    tell(changes.at(-1)?.isIntersecting ?? false);
  });
  seen.observe(element);
  return () => seen.disconnect();
}
