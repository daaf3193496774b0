import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { type Socket, Stream, type StreamState } from "./stream";
import type { News } from "./types";

class FakeSocket implements Socket {
  readonly said: unknown[] = [];
  closed = false;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;

  send(words: unknown): void {
    this.said.push(JSON.parse(String(words)));
  }

  close(): void {
    this.closed = true;
    this.break();
  }

  open(): void {
    this.onopen?.call(this as never, {} as never);
  }

  break(): void {
    this.onclose?.call(this as never, {} as never);
  }

  tell(data: unknown): void {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    this.onmessage?.call(this as never, { data: text } as never);
  }
}

let sockets: FakeSocket[];
let stream: Stream;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  sockets = [];
  stream = new Stream(() => {
    sockets.push(new FakeSocket());
    return sockets.at(-1)!;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function follow() {
  const states: StreamState[] = [];
  const news: News[] = [];
  const stop = stream.follow({
    heard: (each) => news.push(each),
    turned: (state) => states.push(state),
  });
  return { states, news, stop };
}

describe("the stream", () => {
  it("is open while somebody follows, once for all of them", () => {
    expect(sockets).toHaveLength(0);
    const one = follow();
    sockets[0]!.open();
    const other = follow();
    expect(sockets).toHaveLength(1);
    expect(one.states).toEqual(["opening", "open"]);
    expect(other.states).toEqual(["open"]);
    one.stop();
    one.stop();
    expect(sockets[0]!.closed).toBe(false);
    other.stop();
    expect(sockets[0]!.closed).toBe(true);
    vi.runAllTimers();
    expect(sockets).toHaveLength(1);
  });

  it("tells its followers what they know, and what they do not", () => {
    const { news } = follow();
    sockets[0]!.open();
    const ticket = { type: "ticket", ticket: "T", sale_id: "S", state: "ordered", order_id: "O" };
    for (const each of [ticket, "not JSON", { type: "weather" }]) sockets[0]!.tell(each);
    expect(news).toEqual([ticket, { type: "weather" }]);
  });

  it("names each watched sale once, and again when it is made anew", () => {
    const stopped = stream.watch("A");
    follow();
    sockets[0]!.open();
    const [first, second] = [stream.watch("B"), stream.watch("B")];
    stopped();
    first();
    first();
    expect(sockets[0]!.said).toEqual([{ watch: ["A"] }, { watch: ["B"] }, { unwatch: ["A"] }]);
    sockets[0]!.break();
    vi.advanceTimersByTime(1000);
    sockets[1]!.open();
    expect(sockets[1]!.said).toEqual([{ watch: ["B"] }]);
    second();
    expect(sockets[1]!.said.at(-1)).toEqual({ unwatch: ["B"] });
  });

  it("is made again when it breaks, later each time and at most a minute later", () => {
    follow();
    const waits = [1, 2, 4, 8, 16, 32, 60, 60];
    for (const seconds of waits) {
      const before = sockets.length;
      sockets.at(-1)!.break();
      vi.advanceTimersByTime(seconds * 1000 - 1);
      expect(sockets).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(before + 1);
    }
  });

  it("comes back spread over half to one and a half of its wait", () => {
    follow();
    vi.mocked(Math.random).mockReturnValue(0);
    sockets[0]!.break();
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
    vi.mocked(Math.random).mockReturnValue(1);
    sockets[1]!.break();
    vi.advanceTimersByTime(2999);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(sockets).toHaveLength(3);
  });

  it("is blocked when it cannot be had twice, until it can", () => {
    const { states } = follow();
    sockets[0]!.break();
    vi.advanceTimersByTime(1000);
    expect(states).toEqual(["opening"]);
    sockets[1]!.break();
    vi.advanceTimersByTime(2000);
    expect(states).toEqual(["opening", "blocked"]);
    sockets[2]!.open();
    expect(states).toEqual(["opening", "blocked", "open"]);
  });

  it("counts one that is cut at once as a failure, and one that lasted as none", () => {
    const { states } = follow();
    sockets[0]!.open();
    sockets[0]!.break();
    vi.advanceTimersByTime(1000);
    sockets[1]!.open();
    sockets[1]!.break();
    expect(states.at(-1)).toBe("blocked");
    vi.advanceTimersByTime(2000);
    sockets[2]!.open();
    vi.advanceTimersByTime(5000);
    sockets[2]!.break();
    expect(states.at(-1)).toBe("opening");
  });

  it("gives up one that is never answered", () => {
    follow();
    vi.advanceTimersByTime(10_000);
    expect(sockets[0]!.closed).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it("is not made again when nobody follows any more", () => {
    const { stop } = follow();
    sockets[0]!.break();
    stop();
    vi.runAllTimers();
    expect(sockets).toHaveLength(1);
    const again = follow();
    expect(again.states).toEqual(["opening"]);
  });
});
