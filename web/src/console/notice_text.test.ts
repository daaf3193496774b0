import { afterEach, expect, it } from "vitest";

import { setLanguage } from "../base/i18n";
import { noticeText } from "./notice_text";
import { warningsOf } from "./warnings";

const left = { rule: "left_differs", arguments: ["5", "4"], text: "剩余为 5，账本中为 4" };
const more = { rule: "and_more", arguments: ["2"], text: "另有 2 项" };
const detail = "left is 5, in the ledger 4; and 2 more";

afterEach(() => setLanguage("en"));

it("shows what the server says in the language of the page, and not the English detail", () => {
  setLanguage("zh");
  expect(noticeText({ notices: [left, more], detail })).toBe("剩余为 5，账本中为 4；另有 2 项");
  const part = { name: "clock", ready: true, detail, notices: [left] };
  const warnings = warningsOf(null, { ready: true, parts: [part] });
  expect(warnings).toEqual([expect.objectContaining({ detail: "剩余为 5，账本中为 4" })]);
  expect(JSON.stringify(warnings)).not.toMatch(/ledger/);
});

it("shows the detail of a server that sends no notices yet", () => {
  expect(noticeText({ detail })).toBe(detail);
  expect(noticeText({ notices: [], detail: "" })).toBe("");
});
