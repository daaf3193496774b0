import { describe, expect, it } from "vitest";

import { firstSpoken } from "./i18n";

describe("the language of a visitor", () => {
  it.each([
    [["zh-CN", "en"], "zh"],
    [["en-GB", "zh"], "en"],
    [["de", "zh-TW", "en"], "zh"],
    [["de", "fr"], "en"],
    [[], "en"],
  ])("who wants %j is %s", (wanted, expected) => {
    expect(firstSpoken(wanted)).toBe(expected);
  });
});
