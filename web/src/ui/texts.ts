import { texts } from "../base/i18n";
import en from "../messages/shop.en.json";
import zh from "../messages/shop.zh.json";

export const text = texts(en, zh);
export type TextKey = keyof typeof en;

// For keys that are put together from a state's or a problem's name.
export function hasText(key: string): key is TextKey {
  return key in en;
}
