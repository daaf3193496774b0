import { describe, expect, it } from "vitest";

import { Away, Problem } from "./api";
import { DeedKey } from "./deed_key";

const problem = (status: number, code: string) =>
  new Problem({ code }, new Response(null, { status }));

async function keysOf(first: () => Promise<void>): Promise<[string, string]> {
  const keys: string[] = [];
  const deed = new DeedKey();
  const note = (key: string) => void keys.push(key);
  await deed.use((key) => (note(key), first())).catch(() => {});
  await deed.use(async (key) => note(key));
  return [keys[0]!, keys[1]!];
}

describe("the key of a deed", () => {
  it.each([
    ["no answer", new Away()],
    ["an answer that leaves it open", problem(503, "unavailable")],
  ])("is kept after %s", async (_, failure) => {
    const [first, second] = await keysOf(() => Promise.reject(failure));
    expect(second).toBe(first);
  });

  it("is another after a no", async () => {
    const [first, second] = await keysOf(() => Promise.reject(problem(422, "validation_failed")));
    expect(second).not.toBe(first);
  });

  it("is another after a success", async () => {
    const [first, second] = await keysOf(() => Promise.resolve());
    expect(second).not.toBe(first);
  });
});
