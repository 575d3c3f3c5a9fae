/**
 * Where a long word may break: "Lebens|mittel|groß|markt", "re|no|va|ción". Cards are narrow and some names are one
 * long word; browsers know the syllables of a language only if its dictionary is installed.
 */

const VOWEL = "aeiouyáéíóúüäöàèêâô";
/** Consonants that begin a syllable together. */
const ONSET = `sch|str|spr|ch|st|sp|qu|ph|th|[bcdfgkpt][rl]|[^${VOWEL}]`;
const SYLLABLE = new RegExp(`(?<=[${VOWEL}][^${VOWEL}\\s-]*)(?=(?:${ONSET})[${VOWEL}])`, "gi");

const SOFT_HYPHEN = "\u00ad";
/** Shorter words fit. */
const LONG = 11;
/** So many letters stay on either side. */
const KEPT = 4;

export const hyphenated = (text: string): string => text.replace(/[\p{L}]+/gu, (word) => breakable(word));

function breakable(word: string): string {
  if (word.length < LONG) return word;
  const parts: string[] = [];
  let from = 0;
  for (const { index } of word.matchAll(SYLLABLE)) {
    if (index - from < KEPT || word.length - index < KEPT) continue;
    parts.push(word.slice(from, index));
    from = index;
  }
  return [...parts, word.slice(from)].join(SOFT_HYPHEN);
}
