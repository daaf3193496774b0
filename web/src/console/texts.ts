import { texts } from "../base/i18n";
import en from "../messages/console.en.json";
import zh from "../messages/console.zh.json";

export const words = texts(en, zh);
export type WordsKey = keyof typeof en;

// For a name that the server gave: in words, where we have them.
export function named(kind: string, name: string): string {
  const key = `${kind}_${name.replace(/[ .]/g, "_")}`;
  return hasWords(key) ? words(key) : name;
}

// For keys that are put together.
export function hasWords(key: string): key is WordsKey {
  return key in en;
}
