/** Codes of tables, as people type them. */

export const CODE_LENGTH = 8;
const CODE = /^[A-Z2-9]{8}$/;

/**
 * The code in what somebody typed or pasted: a link, small letters, spaces or dashes between. Zero and one, which
 * no code has, are taken for the letters they look like. Null if there is none in it.
 */
export function codeIn(text: string): string | null {
  const link = /\/t\/([^/?#\s]+)/i.exec(text);
  const code = (link?.[1] ?? text)
    .toUpperCase()
    .replace(/[\s\-–_.]/g, "")
    .replaceAll("0", "O")
    .replaceAll("1", "I");
  return CODE.test(code) ? code : null;
}

/** A code as it is read out: in two halves. */
export const readOut = (code: string): string =>
  `${code.slice(0, CODE_LENGTH / 2)} ${code.slice(CODE_LENGTH / 2)}`;
