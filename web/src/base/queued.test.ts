import { beforeEach, describe, expect, it, vi } from "vitest";

import { forgetQueued, noteQueued, queuedTickets, type QueuedTicket } from "./queued";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});
const user = { current: null as { id: string } | null };
vi.mock("./session", () => ({ currentUser: () => user.current }));

const entry = (ticket: string): QueuedTicket => ({ ticket, sale_id: "S", title: "Tea set" });
const tickets = () => queuedTickets().map(({ ticket }) => ticket);

beforeEach(() => {
  stored.clear();
  user.current = { id: "7" };
});

describe("tickets in the queue", () => {
  it("are kept once, until their outcome was read", () => {
    noteQueued(entry("A"));
    noteQueued(entry("B"));
    noteQueued(entry("A"));
    expect(tickets()).toEqual(["A", "B"]);
    forgetQueued("A");
    expect(tickets()).toEqual(["B"]);
  });

  it("are those of who is logged in", () => {
    noteQueued(entry("A"));
    user.current = { id: "8" };
    expect(tickets()).toEqual([]);
    user.current = null;
    noteQueued(entry("B"));
    expect(tickets()).toEqual([]);
  });

  it("are bounded, the oldest are left out", () => {
    for (let i = 0; i < 12; i++) noteQueued(entry(String(i)));
    expect(tickets()).toHaveLength(10);
    expect(tickets()[0]).toBe("2");
  });

  it("survive what somebody else has stored there", () => {
    stored.set("sluice.queued.7", '{"a":1}');
    expect(tickets()).toEqual([]);
    stored.set("sluice.queued.7", "no json");
    noteQueued(entry("A"));
    expect(tickets()).toEqual(["A"]);
  });
});
