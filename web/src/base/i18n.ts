// The language of the page, and its texts. A message may hold {names} to fill in, and its singular
// and plural form with " | " between them.

import { keep, kept } from "./storage";

export type Language = "en" | "zh";
type Values = Record<string, string | number>;
type Messages = Record<string, string>;

const storageKey = "sluice.language";
const listeners = new Set<() => void>();

let language: Language = stored() ?? preferred();

function stored(): Language | null {
  const choice = kept<unknown>(storageKey);
  return choice === "en" || choice === "zh" ? choice : null;
}

function preferred(): Language {
  return typeof navigator === "undefined" ? "en" : firstSpoken(navigator.languages);
}

// The first of a visitor's languages in which the pages are written.
export function firstSpoken(wanted: readonly string[]): Language {
  const spoken = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return spoken.find((tag) => tag === "en" || tag === "zh") ?? "en";
}

export function currentLanguage(): Language {
  return language;
}

export function setLanguage(next: Language): void {
  language = next;
  keep(storageKey, next);
  for (const listener of listeners) listener();
}

export function onLanguageChange(listener: () => void): void {
  listeners.add(listener);
}

export function languageTag(): string {
  return language === "zh" ? "zh-CN" : "en";
}

// Makes the function with which a part of the pages gets its texts; the compiler knows the keys.
export function texts<English extends Messages>(en: English, zh: Record<keyof English, string>) {
  return (key: keyof English, values: Values = {}): string =>
    fill((language === "zh" ? zh : en)[key] as string, values, language);
}

export function fill(message: string, values: Values, spoken: Language): string {
  const forms = message.split(" | ");
  const [one, other] = [forms[0]!, forms[1] ?? forms[0]!];
  const form = new Intl.PluralRules(spoken).select(Number(values.n ?? 0)) === "one" ? one : other;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => show(values[name], spoken));
}

function show(value: string | number | undefined, spoken: Language): string {
  return typeof value === "number" ? value.toLocaleString(spoken) : (value ?? "");
}
