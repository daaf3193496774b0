import { beforeEach, describe, expect, it, vi } from "vitest";

import { Away, get, post, Problem } from "../base/api";
import type { QueuedTicket } from "../base/queued";
import { keep, kept } from "../base/storage";
import { followTicket } from "./follow_ticket";
import { forgetAttempt } from "./kept_attempt";

vi.mock("../base/session", () => ({ currentUser: () => ({ id: "7" }) }));
vi.mock("../base/api", async (original) => ({
  ...(await original<typeof import("../base/api")>()),
  get: vi.fn(),
  post: vi.fn(),
}));

const place = "sluice.attempt.7.S";
const entry: QueuedTicket = { ticket: "T", sale_id: "S", title: "Tea set" };
const attempt = {
  key: "first",
  quantity: 2,
  aliveAt: 0,
  pass: { pass: "P", expires_at: "" },
  ticket: "T",
  queued: true,
};

function problem(code: string, status: number) {
  return new Problem({ code }, new Response(null, { status }));
}

beforeEach(() => {
  vi.mocked(get).mockReset();
  vi.mocked(post).mockReset();
  keep(place, attempt);
});

describe("following a ticket", () => {
  it.each([
    [{ state: "ordered", order_id: "O" }, { state: "ordered" }],
    [
      { state: "queued", wait_seconds: 8 },
      { state: "queued", waitSeconds: 8 },
    ],
    [
      { state: "refused", reason: "ended" },
      { state: "refused", reason: "ended" },
    ],
  ])("tells what the server says: %j", async (answer, expected) => {
    vi.mocked(get).mockResolvedValue({ ticket: "T", sale_id: "S", ...answer });
    expect(await followTicket(entry)).toEqual({ ticket: "T", ...expected });
    expect(get).toHaveBeenCalledWith("/tickets/T");
    expect(post).not.toHaveBeenCalled();
  });

  it.each([
    ["503", problem("unavailable", 503)],
    ["500", problem("internal", 500)],
    ["429", problem("rate_limited", 429)],
    ["no answer", new Away()],
  ])("says nothing while it hears %s", async (_, failure) => {
    vi.mocked(get).mockRejectedValue(failure);
    await expect(followTicket(entry)).rejects.toBe(failure);
    expect(post).not.toHaveBeenCalled();
    expect(kept(place)).toEqual(attempt);
  });
});

describe("a ticket that is not found", () => {
  beforeEach(() => void vi.mocked(get).mockRejectedValue(problem("not_found", 404)));

  it("is bought again under the same key", async () => {
    vi.mocked(post).mockResolvedValue({ ticket: "T", state: "ordered", order_id: "O" });
    expect(await followTicket(entry)).toEqual({ ticket: "T", state: "ordered" });
    const sent = { key: "first", body: { quantity: 2 } };
    expect(post).toHaveBeenCalledExactlyOnceWith("/sales/S/orders/P", sent);
    expect(kept(place)).toEqual(attempt);
  });

  it("may have another name then, which is kept", async () => {
    vi.mocked(post).mockResolvedValue({ ticket: "U", state: "queued", wait_seconds: 3 });
    const expected = { ticket: "U", state: "queued", waitSeconds: 3 };
    expect(await followTicket(entry)).toEqual(expected);
    expect(kept(place)).toEqual({ ...attempt, ticket: "U" });
  });

  it.each(["unavailable", "paused", "busy"])("is kept while the server is %s", async (code) => {
    const failure = problem(code, 503);
    vi.mocked(post).mockRejectedValue(failure);
    await expect(followTicket(entry)).rejects.toBe(failure);
    expect(kept(place)).toEqual(attempt);
  });

  it("is refused when nothing is left, and not sent again", async () => {
    vi.mocked(post).mockRejectedValue(problem("sold_out", 409));
    const expected = { ticket: "T", state: "refused", reason: "sold_out" };
    expect(await followTicket(entry)).toEqual(expected);
    expect(kept(place)).toBeNull();
  });

  it("is lost for this page when its pass has expired; the attempt stays", async () => {
    vi.mocked(post).mockRejectedValue(problem("pass_invalid", 403));
    expect(await followTicket(entry)).toEqual({ ticket: "T", state: "lost" });
    expect(kept(place)).toEqual(attempt);
  });

  it.each([
    ["of another ticket", { ...attempt, ticket: "U" }],
    ["without a pass", { ...attempt, pass: undefined }],
  ])("is lost for this page where the attempt is %s", async (_, other) => {
    keep(place, other);
    expect(await followTicket(entry)).toEqual({ ticket: "T", state: "lost" });
    expect(post).not.toHaveBeenCalled();
  });

  it("takes only its own attempt along when it is forgotten", () => {
    forgetAttempt("S", "U");
    expect(kept(place)).toEqual(attempt);
    forgetAttempt("S", "T");
    expect(kept(place)).toBeNull();
  });
});
