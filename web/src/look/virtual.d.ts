declare module "virtual:fluent-icons" {
  /** The inside of the SVG of each icon that a picture uses, by name, on a square of 32. */
  const icons: Record<string, string>;
  export default icons;
}
