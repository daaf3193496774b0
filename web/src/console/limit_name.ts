import { hasWords, named } from "./texts";

export const isLimit = (name: string) => hasWords(`limit_${name.split(".")[0]}`);

// A number of the rate limits, such as "buying.per_minute", as the page calls it.
export function limitName(name: string): string {
  const [limit, part] = name.split(".") as [string, string?];
  const whole = named("limit", limit);
  return part ? `${whole} · ${named("part", part)}` : whole;
}
