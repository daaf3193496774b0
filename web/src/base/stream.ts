// What the server sends by itself: a buyer's tickets and orders, and the sales that are watched.
// There is one connection, open while anybody follows it. When it breaks it is opened again, each
// time after a longer wait. Followers are told of that too, and poll meanwhile.

import { backOff } from "./poll";
import type { News } from "./types";

// `blocked`: it could not be opened several times in a row, perhaps because something on the way
// forbids it. It is still tried from time to time.
export type StreamState = "closed" | "opening" | "open" | "blocked";

export type Follower = {
  heard: (news: News) => void;
  turned: (state: StreamState) => void;
};

// The part of a WebSocket that is used.
export type Socket = Pick<WebSocket, "send" | "close" | "onopen" | "onmessage" | "onclose">;

const openWithinMilliseconds = 10_000;
// A stream that breaks sooner counts as a failure: a proxy may let it through and cut it at once.
const steadyMilliseconds = 5000;
const firstRetryMilliseconds = 1000;
const lastRetryMilliseconds = 60_000;
const blockedAfter = 2;

export class Stream {
  private socket: Socket | null = null;
  private state: StreamState = "closed";
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly followers = new Set<Follower>();
  private readonly watched = new Map<string, number>();

  constructor(private readonly connect: () => Socket) {}

  // Until the returned function is called. The follower gets the state now, and each time that it
  // changes.
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    if (this.followers.size === 1) this.open();
    else follower.turned(this.state);
    return () => {
      if (this.followers.delete(follower) && this.followers.size === 0) this.close();
    };
  }

  // Followers get news of this sale until the returned function is called.
  watch(sale: string): () => void {
    const watchers = this.watched.get(sale) ?? 0;
    this.watched.set(sale, watchers + 1);
    if (watchers === 0) this.say({ watch: [sale] });
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      const others = this.watched.get(sale)! - 1;
      if (others > 0) {
        this.watched.set(sale, others);
      } else {
        this.watched.delete(sale);
        this.say({ unwatch: [sale] });
      }
    };
  }

  private open(): void {
    const socket = this.connect();
    this.socket = socket;
    this.turn(this.failures < blockedAfter ? "opening" : "blocked");
    this.timer = setTimeout(() => socket.close(), openWithinMilliseconds);
    socket.onopen = () => this.opened(socket);
    socket.onmessage = ({ data }) => this.heard(data);
    socket.onclose = () => this.broken();
  }

  private opened(socket: Socket): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.failures = 0), steadyMilliseconds);
    const sales = [...this.watched.keys()];
    if (sales.length > 0) socket.send(JSON.stringify({ watch: sales }));
    this.turn("open");
  }

  private heard(data: unknown): void {
    const news = parse(data);
    if (news) for (const follower of [...this.followers]) follower.heard(news);
  }

  // A server that stops breaks the streams of all its visitors at the same instant, so their next
  // tries are spread over the whole wait.
  private broken(): void {
    clearTimeout(this.timer);
    this.socket = null;
    const longest = backOff(this.failures++, firstRetryMilliseconds, lastRetryMilliseconds);
    this.timer = setTimeout(() => this.open(), longest * (0.5 + Math.random()));
    this.turn(this.failures < blockedAfter ? "opening" : "blocked");
  }

  private close(): void {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    this.failures = 0;
    this.state = "closed";
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private say(words: { watch: string[] } | { unwatch: string[] }): void {
    if (this.state === "open") this.socket?.send(JSON.stringify(words));
  }

  private turn(state: StreamState): void {
    if (this.state === state) return;
    this.state = state;
    for (const follower of [...this.followers]) follower.turned(state);
  }
}

// A newer server may send messages that we do not know; followers use what they know.
function parse(data: unknown): News | null {
  try {
    return JSON.parse(String(data)) as News | null;
  } catch {
    return null;
  }
}
