// Asks for the same thing repeatedly, and lets the server answer that it is unchanged, which costs
// no more than a head.

import { getUnless } from "./api";

export function unchanging<Value>(): (path: string) => Promise<Value> {
  let last: { path: string; tag: string; value: Value } | null = null;
  return async (path) => {
    const known = last?.path === path ? last : null;
    const answer = await getUnless<Value>(path, known?.tag ?? null);
    if (answer === "unchanged") return known!.value;
    last = answer.tag === null ? null : { path, tag: answer.tag, value: answer.value };
    return answer.value;
  };
}
