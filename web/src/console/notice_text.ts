// What the server says of a check or a part, in the language of the page.

import { currentLanguage } from "../base/i18n";
import type { Notice } from "./types";

// The server answers in the language of the page. Only a server that is older than the page sends no
// notices, and then its English detail is better than nothing.
export function noticeText({ notices, detail }: { notices?: Notice[]; detail: string }): string {
  if (!notices?.length) return detail;
  return notices.map(({ text }) => text).join(currentLanguage() === "zh" ? "；" : "; ");
}
