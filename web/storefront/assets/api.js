// The HTTP API, as far as the page needs it, and the server's clock.

import { currentLanguage } from "./texts.js";

const base = "/api/v1";

// A no from the server, with what it says about each field.
export class Problem extends Error {
  constructor(problem) {
    super(problem.detail || problem.title);
    this.status = problem.status;
    this.errors = problem.errors ?? [];
  }
}

export async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: {
      "Accept-Language": currentLanguage(),
      ...(body && { "Content-Type": "application/json" }),
    },
    body: body && JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
  });
  if (response.status === 204) return null;
  const answer = await response.json();
  if (!response.ok) throw new Problem(answer);
  return answer;
}

// Server time minus performance.now(), which a wrong or changed clock of the device cannot move.
let offset = null;

export async function synchroniseClock() {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const sent = performance.now();
    const { now } = await call("GET", "/time");
    const trip = performance.now() - sent;
    if (trip >= best) continue;
    best = trip;
    offset = Date.parse(now) - (sent + trip / 2);
  }
}

// Null until the server has told.
export function serverNow() {
  return offset === null ? null : offset + performance.now();
}
