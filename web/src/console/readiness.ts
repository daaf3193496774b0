import { look } from "../base/api";
import type { Readiness } from "./types";

// 503 is an answer too: it says which part is not ready. The machine room may have an address of
// its own.
export async function readiness(path: string): Promise<Readiness> {
  const answer = (await (await look(path)).json()) as Readiness;
  if (!Array.isArray(answer.parts)) throw new Error("not the machine room");
  return answer;
}
