// How long until an instant, in the parts a person reads.

export type Remaining = { days: number; hours: number; minutes: number; seconds: number };

// Rounded up to the second: it shows zero only when the instant has come.
export function remaining(milliseconds: number): Remaining {
  const all = Math.max(0, Math.ceil(milliseconds / 1000));
  return {
    days: Math.floor(all / 86_400),
    hours: Math.floor(all / 3600) % 24,
    minutes: Math.floor(all / 60) % 60,
    seconds: all % 60,
  };
}

// Milliseconds until the shown number changes: the next whole second before the instant.
export function untilNextChange(milliseconds: number): number {
  if (milliseconds <= 0) return 1000;
  const part = milliseconds % 1000;
  return part === 0 ? 1000 : part;
}

// As it is read in a line of text, without words: 6:23:52, or 23:52 within the hour.
export function spanOf(milliseconds: number): string {
  const { days, hours, minutes, seconds } = remaining(milliseconds);
  const whole = days * 24 + hours;
  const rest = `${twoDigits(minutes)}:${twoDigits(seconds)}`;
  return whole > 0 ? `${whole}:${rest}` : rest;
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
