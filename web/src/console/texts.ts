import { texts } from "../base/i18n";
import en from "../messages/console.en.json";
import zh from "../messages/console.zh.json";

export const words = texts(en, zh);
export type WordsKey = keyof typeof en;

// The text for a name from the server, if we have one.
export function named(kind: string, name: string): string {
  const key = `${kind}_${name.replace(/[ .]/g, "_")}`;
  return hasWords(key) ? words(key) : name;
}

// For keys that are put together.
export function hasWords(key: string): key is WordsKey {
  return key in en;
}
