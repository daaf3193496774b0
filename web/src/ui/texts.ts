import { texts } from "../base/i18n";
import { isOnline } from "../base/online";
import en from "../messages/shop.en.json";
import zh from "../messages/shop.zh.json";

export const text = texts(en, zh);
export type TextKey = keyof typeof en;

// For a request that got no answer and is not sent again by itself.
export const noAnswer = () => text(isOnline() ? "no_answer" : "offline_now");

// For keys that are put together from a state's or a problem's name.
export function hasText(key: string): key is TextKey {
  return key in en;
}
