// Converts between what people type and what the API takes. What cannot be understood is sent as it
// was typed: the server says what is wrong with it, in the same words as to everybody else.

export function wholeNumber(typed: string): number | string | undefined {
  const given = typed.trim();
  if (given === "") return undefined;
  return /^-?\d{1,15}$/.test(given) ? Number(given) : given;
}

export function minorUnits(typed: string, currency: string): number | string | undefined {
  const given = typed.trim();
  if (given === "") return undefined;
  if (!/^-?\d{1,13}(\.\d+)?$/.test(given)) return given;
  const [whole, part = ""] = given.split(".");
  const digits = decimalsOf(currency);
  if (part.length > digits) return given;
  return Number(whole + part.padEnd(digits, "0"));
}

export function majorUnits(cents: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (cents / 10 ** digits).toFixed(digits);
}

// A currency that is not complete is still being typed.
function decimalsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

// datetime-local knows no zone: it is the operator's.
export function localInput(instant: string | null): string {
  if (!instant) return "";
  const at = new Date(instant);
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

export function instantOf(typed: string): string | undefined {
  if (typed === "") return undefined;
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? typed : at.toISOString();
}
