import { currentLanguage, languageTag } from "./i18n";

export function money(cents: number, currency: string): string {
  const format = new Intl.NumberFormat(languageTag(), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(cents / 10 ** digits);
}

// How much cheaper than the list price, as each language says it: 87 for "−87%" in English, 1.3 for
// "1.3 折" in Chinese, which is the price that is left, in tenths. Null when it is not cheaper. The
// discount is never rounded up.
export function discount(price: number, listPrice: number): string | null {
  const percent = Math.floor(((listPrice - price) / listPrice) * 100);
  if (listPrice <= price || percent === 0) return null;
  if (currentLanguage() === "en") return String(percent);
  return String(Math.ceil((price / listPrice) * 100) / 10);
}

// With the time zone, since people elsewhere read it too.
export function dateAndTime(instant: string | number): string {
  return withZone(instant, "short");
}

export function preciseTime(instant: string | number): string {
  return withZone(instant, "medium");
}

function withZone(instant: string | number, timeStyle: "short" | "medium"): string {
  const at = new Date(instant);
  const time = at.toLocaleString(languageTag(), { dateStyle: "medium", timeStyle });
  return `${time} ${zoneName(at)}`;
}

// For a table that names the zone in its heading.
export function rowTime(instant: string | number): string {
  return new Date(instant).toLocaleString(languageTag(), {
    dateStyle: "medium",
    timeStyle: "medium",
  });
}

export function zoneName(at = new Date()): string {
  const parts = new Intl.DateTimeFormat(languageTag(), { timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")!.value;
}

// When a sale opens: with the day only when that is not today.
export function openingTime(instant: string | number, now: number): string {
  const at = new Date(instant);
  const sameDay = at.toDateString() === new Date(now).toDateString();
  return at.toLocaleString(languageTag(), {
    ...(!sameDay && { month: "short", day: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: at.getSeconds() ? "2-digit" : undefined,
    hour12: false,
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

// Hours and minutes, and seconds where there are any.
export function clockTime(instant: number): string {
  const at = new Date(instant);
  return at.toLocaleTimeString(languageTag(), {
    hour: "2-digit",
    minute: "2-digit",
    second: at.getSeconds() ? "2-digit" : undefined,
    hourCycle: "h23",
  });
}

export function dayOfWeek(instant: number): string {
  return new Date(instant).toLocaleDateString(languageTag(), {
    weekday: "short",
    month: "short",
    day: "numeric",
  });
}

// A month by its name, a week by its first and last day.
export function periodText(kind: "week" | "month", from: number, to: number): string {
  const options: Intl.DateTimeFormatOptions =
    kind === "month"
      ? { year: "numeric", month: "long" }
      : { year: "numeric", month: "long", day: "numeric" };
  const format = new Intl.DateTimeFormat(languageTag(), options);
  return kind === "month" ? format.format(from) : format.formatRange(from, to - 1);
}
