import { createHash } from "node:crypto";

import { describe, expect, it } from "vitest";

import { leadingZeroBits, NumberedHash, written } from "./sha256";

const hex = (words: readonly number[]) =>
  words.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

describe("the hash of a prefix and a number", () => {
  // Lengths at which padding and length move into another block.
  it.each([0, 1, 40, 46, 47, 48, 55, 56, 63, 64, 65, 111, 112, 128, 200])(
    "with a prefix of %i bytes",
    (length) => {
      const prefix = "pröfung".repeat(40).slice(0, length);
      const hash = new NumberedHash(prefix);
      for (const number of [0, 1, 0xabcdef, 0x7fffffff, 0xffffffff])
        expect(hex(hash.words(number))).toBe(
          createHash("sha256")
            .update(prefix + written(number))
            .digest("hex"),
        );
    },
  );
});

describe("leading zero bits", () => {
  it.each([
    [[0x80000000, 0], 0],
    [[0x40000000, 0], 1],
    [[1, -1], 31],
    [[0, -1], 32],
    [[0, 1], 63],
    [[0, 0], 64],
  ])("of %j are %i", (words, bits) => {
    expect(leadingZeroBits(words)).toBe(bits);
  });
});
