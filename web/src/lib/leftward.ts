/** Letters that are written from right to left, by the blocks set aside for them. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text within a sentence: one that runs leftwards turns nothing around beside it; any other stays as it is. */
export const isolated = (text: string): string => (LEFTWARD.test(text) ? `\u2068${text}\u2069` : text);
