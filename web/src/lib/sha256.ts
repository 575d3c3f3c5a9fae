/**
 * SHA-256 (FIPS 180-4). The browser's own is missing where a page comes over plain http from another machine, as it
 * does in a home network; this one is there always, and for words of a few bytes it is quick enough.
 */

/** The first 32 bits of the fractional parts of the n-th roots of the first primes. */
function fractions(count: number, root: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) found.push(((n ** (1 / root) % 1) * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, 2);
const ROUNDS = fractions(64, 3);
const BLOCK = 64;

const turned = (x: number, bits: number) => (x >>> bits) | (x << (32 - bits));

/** The bytes, a one bit, zeros, and their number in bits: whole blocks. */
function padded(bytes: Uint8Array): DataView {
  const blocks = Math.ceil((bytes.length + 9) / BLOCK);
  const view = new DataView(new ArrayBuffer(blocks * BLOCK));
  bytes.forEach((byte, at) => view.setUint8(at, byte));
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(view.byteLength - 4, bytes.length << 3);
  return view;
}

function mixed(state: number[], view: DataView, block: number): number[] {
  const w: number[] = [];
  for (let t = 0; t < 64; t++) {
    if (t < 16) {
      w.push(view.getInt32(block + 4 * t));
      continue;
    }
    const [far, near] = [w[t - 15]!, w[t - 2]!];
    const s0 = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const s1 = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    w.push((w[t - 16]! + s0 + w[t - 7]! + s1) | 0);
  }
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[t]! + w[t]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((x, at) => (x + state[at]!) | 0);
}

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  const view = padded(bytes);
  let state = START;
  for (let block = 0; block < view.byteLength; block += BLOCK) state = mixed(state, view, block);
  return state.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
