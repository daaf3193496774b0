import { languageTag } from "./i18n";

export function money(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(languageTag(), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(cents / 10 ** digits);
}

// How much less than the list price, in whole percent; 0 when it is not less.
export function discount(price: number, listPrice: number): number {
  return listPrice > price ? Math.floor(((listPrice - price) / listPrice) * 100) : 0;
}

export function dateAndTime(instant: string | number): string {
  return new Date(instant).toLocaleString(languageTag(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

export function preciseTime(instant: string | number): string {
  return new Date(instant).toLocaleString(languageTag(), {
    dateStyle: "medium",
    timeStyle: "medium",
  });
}

export function shortDate(instant: number): string {
  return new Date(instant).toLocaleDateString(languageTag(), { month: "short", day: "numeric" });
}

export function timeOfDay(instant: number): string {
  return new Date(instant).toLocaleTimeString(languageTag(), { hour12: false });
}

export function number(value: number): string {
  return value.toLocaleString(languageTag());
}
