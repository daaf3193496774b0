// SHA-256 for proofs of work: of many short texts, of which only the end differs. The browser's own
// is asynchronous and made for few long ones.

import { SHA256 } from "@noble/hashes/sha2";

// Hashes prefix and a number as eight hexadecimal digits. The package hashes blocks; what stands in
// the last ones is put together here, and the blocks that the prefix fills are hashed once. With
// nothing but the package's calls a browser would try half as many numbers.
export class NumberedHash extends SHA256 {
  private readonly middle: ReturnType<SHA256["get"]>;
  private readonly tail: Uint8Array;
  private readonly tailView: DataView;
  private readonly digits: number;

  constructor(prefix: string) {
    super();
    const bytes = new TextEncoder().encode(prefix);
    const whole = bytes.length - (bytes.length % 64);
    this.update(bytes.subarray(0, whole));
    this.middle = this.get();

    this.digits = bytes.length - whole;
    const used = this.digits + 8;
    this.tail = new Uint8Array(used + 9 <= 64 ? 64 : 128);
    this.tail.set(bytes.subarray(whole));
    this.tail[used] = 0x80;
    this.tailView = new DataView(this.tail.buffer);
    this.tailView.setUint32(this.tail.length - 4, (bytes.length + 8) * 8);
  }

  words(number: number): readonly number[] {
    for (let i = 7, rest = number; i >= 0; i--, rest >>>= 4) {
      const digit = rest & 15;
      this.tail[this.digits + i] = digit < 10 ? 48 + digit : 87 + digit;
    }
    this.set(...this.middle);
    for (let at = 0; at < this.tail.length; at += 64) this.process(this.tailView, at);
    return this.get();
  }
}

export function written(number: number): string {
  return number.toString(16).padStart(8, "0");
}

export function leadingZeroBits(words: readonly number[]): number {
  let bits = 0;
  for (const word of words) {
    if (word !== 0) return bits + Math.clz32(word);
    bits += 32;
  }
  return bits;
}
