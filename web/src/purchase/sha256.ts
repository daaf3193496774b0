// SHA-256 of short texts, for proofs of work. The browser's own is asynchronous and made for few
// long messages; here are many short ones, of which only the end differs.

const k = new Uint32Array(64);
const initial = new Uint32Array(8);

// The constants are the first bits of the fractions of roots of the first primes.
(function derive() {
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) initial[found] = fraction(Math.sqrt(n));
    k[found++] = fraction(Math.cbrt(n));
  }
})();

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const w = new Int32Array(64);

function compress(h: Int32Array, block: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = h[0]!,
    b = h[1]!,
    c = h[2]!,
    d = h[3]!,
    e = h[4]!,
    f = h[5]!,
    g = h[6]!,
    last = h[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (last + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    last = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  h[0] = (h[0]! + a) | 0;
  h[1] = (h[1]! + b) | 0;
  h[2] = (h[2]! + c) | 0;
  h[3] = (h[3]! + d) | 0;
  h[4] = (h[4]! + e) | 0;
  h[5] = (h[5]! + f) | 0;
  h[6] = (h[6]! + g) | 0;
  h[7] = (h[7]! + last) | 0;
}

// Hashes prefix and a number as eight hexadecimal digits; the blocks that the prefix fills are
// hashed once.
export class NumberedHash {
  private readonly middle = Int32Array.from(initial);
  private readonly h = new Int32Array(8);
  private readonly tail: Uint8Array;
  private readonly view: DataView;
  private readonly digits: number;

  constructor(prefix: string) {
    const bytes = new TextEncoder().encode(prefix);
    const whole = bytes.length - (bytes.length % 64);
    const start = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < whole; at += 64) compress(this.middle, start, at);

    this.digits = bytes.length - whole;
    const used = this.digits + 8;
    this.tail = new Uint8Array(used + 9 <= 64 ? 64 : 128);
    this.tail.set(bytes.subarray(whole));
    this.tail[used] = 0x80;
    this.view = new DataView(this.tail.buffer);
    this.view.setUint32(this.tail.length - 4, (bytes.length + 8) * 8);
  }

  digest(number: number): Int32Array {
    for (let i = 7, rest = number; i >= 0; i--, rest >>>= 4) {
      const digit = rest & 15;
      this.tail[this.digits + i] = digit < 10 ? 48 + digit : 87 + digit;
    }
    this.h.set(this.middle);
    for (let at = 0; at < this.tail.length; at += 64) compress(this.h, this.view, at);
    return this.h;
  }
}

export function written(number: number): string {
  return number.toString(16).padStart(8, "0");
}

export function leadingZeroBits(digest: Int32Array): number {
  let bits = 0;
  for (const word of digest) {
    if (word !== 0) return bits + Math.clz32(word);
    bits += 32;
  }
  return bits;
}
