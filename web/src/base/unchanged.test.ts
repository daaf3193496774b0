import { afterEach, describe, expect, it, vi } from "vitest";

import { Away, Problem } from "./api";
import { unchanging } from "./unchanged";

afterEach(() => vi.unstubAllGlobals());

// A server with one thing at each path; null tells no tag.
function serve(tag: () => string | null, body: () => unknown) {
  const asked: (string | undefined)[] = [];
  vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
    const given = (request.headers as Record<string, string>)["If-None-Match"];
    asked.push(given);
    const now = tag();
    if (now !== null && given === now) return new Response(null, { status: 304 });
    return new Response(JSON.stringify(body()), { headers: now === null ? {} : { ETag: now } });
  });
  return asked;
}

describe("asking again", () => {
  it("takes what it had when the server says that it is unchanged", async () => {
    let tag = 'W/"1"';
    let holds = true;
    const asked = serve(
      () => tag,
      () => ({ holds }),
    );
    const ask = unchanging<{ holds: boolean }>();
    const first = await ask("/audit");
    expect(await ask("/audit")).toBe(first);
    [tag, holds] = ['W/"2"', false];
    expect(await ask("/audit")).toEqual({ holds: false });
    expect(asked).toEqual([undefined, 'W/"1"', 'W/"1"']);
  });

  it("does not take one thing for another, nor what has no tag", async () => {
    let tag: string | null = 'W/"1"';
    const asked = serve(
      () => tag,
      () => ({}),
    );
    const ask = unchanging();
    await ask("/one");
    await ask("/other");
    tag = null;
    await ask("/other");
    await ask("/other");
    expect(asked).toEqual([undefined, undefined, 'W/"1"', undefined]);
  });

  it("tells a refusal and a lost answer as every question does", async () => {
    const ask = unchanging();
    vi.stubGlobal("fetch", async () => new Response('{"code":"forbidden"}', { status: 403 }));
    await expect(ask("/x")).rejects.toBeInstanceOf(Problem);
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError()));
    await expect(ask("/x")).rejects.toBeInstanceOf(Away);
  });
});
