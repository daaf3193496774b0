import { texts } from "../base/i18n";
import en from "../messages/console.en.json";
import zh from "../messages/console.zh.json";

export const words = texts(en, zh);
export type WordsKey = keyof typeof en;

// For keys that are put together from a name that the server gave.
export function hasWords(key: string): key is WordsKey {
  return key in en;
}
