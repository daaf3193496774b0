// Calls of the HTTP API. A refusal of the server is a Problem; if there is no answer at all, it is
// Away.

import { currentLanguage } from "./i18n";
import type { FieldError } from "./types";

const base = "/api/v1";
const patienceMilliseconds = 15_000;

export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly errors: FieldError[];
  readonly ticket: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ProblemBody["reason"] | undefined;

  constructor(body: Partial<ProblemBody>, response: Response) {
    super(body.detail || body.title || response.statusText);
    this.code = body.code ?? "internal";
    this.status = response.status;
    this.errors = body.errors ?? [];
    this.ticket = body.ticket;
    this.requestId = body.request_id;
    this.reason = body.reason;
    const wait = Number(response.headers.get("Retry-After"));
    this.retryAfterSeconds = wait > 0 ? wait : undefined;
  }
}

type ProblemBody = {
  title: string;
  detail: string;
  code: string;
  errors: FieldError[];
  ticket: string;
  request_id: string;
  reason: "pass_lapsed" | "place_missed" | "left_unpaid" | "network_full";
};

// The server could not be reached, or something else has answered. The outcome of the request is
// unknown.
export class Away extends Error {}

type Options = { body?: unknown; csv?: string; key?: string; prefer?: string };

export const get = <Answer>(path: string) => call<Answer>("GET", path);
export const post = <Answer>(path: string, options: Options = {}) =>
  call<Answer>("POST", path, options);
export const put = <Answer>(path: string, body: unknown) => call<Answer>("PUT", path, { body });
// A table, which is no JSON.
export const upload = <Answer>(method: "PUT" | "POST", path: string, csv: string) =>
  call<Answer>(method, path, { csv });
export const remove = (path: string) => call<null>("DELETE", path);

// What is not part of the API: the pages of the machine room.
export const look = (url: string) => reach(url, { method: "GET" });

// With the tag of what is known already. `tag` is null where the server sends none.
export async function getUnless<Answer>(
  path: string,
  known: string | null,
): Promise<{ value: Answer; tag: string | null } | "unchanged"> {
  const headers: Record<string, string> = { "Accept-Language": currentLanguage() };
  if (known !== null) headers["If-None-Match"] = known;
  const response = await reach(base + path, { method: "GET", headers });
  if (response.status === 304 && known !== null) return "unchanged";
  const answer = await read(response);
  if (!response.ok) throw new Problem(answer as Partial<ProblemBody>, response);
  return { value: answer as Answer, tag: response.headers.get("ETag") };
}

async function call<Answer>(method: string, path: string, options: Options = {}): Promise<Answer> {
  const headers: Record<string, string> = { "Accept-Language": currentLanguage() };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.csv !== undefined) headers["Content-Type"] = "text/csv; charset=utf-8";
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (options.prefer) headers["Prefer"] = options.prefer;
  const response = await reach(base + path, {
    method,
    headers,
    body: options.csv ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
  });
  if (response.status === 204) return null as Answer;
  const answer = await read(response);
  if (!response.ok) throw new Problem(answer as Partial<ProblemBody>, response);
  return answer as Answer;
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patienceMilliseconds);
  try {
    return await fetch(url, { ...request, credentials: "same-origin", signal: impatience.signal });
  } catch {
    throw new Away();
  } finally {
    clearTimeout(timer);
  }
}

// A proxy in between may answer with a page of its own, or the answer may be cut off in the middle.
async function read(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new Away();
  }
}
