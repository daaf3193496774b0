// Who is logged in. The session itself is an HttpOnly cookie that scripts cannot see. Here is only
// a memory of it, so that a visitor who never logged in costs the server no request.

import { get, post, Problem, put, remove } from "./api";
import { forget, keep, kept, onKeptElsewhere } from "./storage";
import type { PhoneCodeSent, Session, User } from "./types";

const storageKey = "sluice.user";
const listeners = new Set<() => void>();

export function currentUser(): User | null {
  return kept<User>(storageKey);
}

// Staff: support, operators and admins.
export function isStaff(user: User | null): boolean {
  return user?.role === "support" || mayOperate(user);
}

export function mayOperate(user: User | null): boolean {
  return user?.role === "operator" || user?.role === "admin";
}

export function onUserChange(listener: () => void): () => void {
  listeners.add(listener);
  const stop = onKeptElsewhere(storageKey, listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

// Compares the memory with the server: the session may have ended, or the role may have changed.
export async function confirmUser(): Promise<void> {
  if (currentUser()) await askForSession().catch(() => {}); // the memory counts until it is known
}

// Null when it has ended. Each call also makes it last longer.
export async function askForSession(): Promise<Session | null> {
  try {
    const session = await get<Session>("/sessions/current");
    remember(session);
    return session;
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.code !== "unauthenticated") throw failure;
    sessionEnded();
    return null;
  }
}

export async function logIn(phone: string, password: string, factor = ""): Promise<User> {
  const body = { phone, password, ...(factor && { second_factor: factor }) };
  return remember(await post<Session>("/sessions", { body }));
}

type Registration = { phone: string; password: string; name: string; code: string };

export async function register(wish: Registration, key: string): Promise<void> {
  const { phone, password, name, code } = wish;
  const body = { phone, password, ...(name && { name }), ...(code && { code }) };
  await post("/users", { body, key });
}

export type CodePurpose = "registration" | "password";

export const sendCode = (phone: string, purpose: CodePurpose) =>
  post<PhoneCodeSent>("/phone-codes", { body: { phone, purpose } });

export const resetPassword = (phone: string, password: string, code: string) =>
  post<null>("/password-resets", { body: { phone, password, code } });

// All other sessions of the user end.
export const changePassword = (present: string, wanted: string) =>
  put<null>("/password", { current_password: present, new_password: wanted });

export async function logOut(): Promise<void> {
  try {
    await remove("/sessions/current");
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.code !== "unauthenticated") throw failure;
  }
  sessionEnded();
}

export function sessionEnded(): void {
  forget(storageKey);
  tell();
}

function remember({ user: known, second_factor_missing }: Session): User {
  const user: User = second_factor_missing ? { ...known, factorMissing: true } : known;
  const before = JSON.stringify(currentUser());
  if (before === JSON.stringify(user)) return user;
  keep(storageKey, user);
  tell();
  return user;
}

function tell(): void {
  for (const listener of listeners) listener();
}

// Where to go after logging in: an address of this shop, and nothing else, since the parameter may
// come from a stranger's link.
export function safeReturn(target: string | null, origin: string): string {
  if (!target) return "/";
  try {
    const url = new URL(target, origin);
    // A path such as "/.//name" becomes "//name", which would be another host.
    const here = url.origin === origin && target.startsWith("/") && !/^\/[/\\]/.test(url.pathname);
    return here ? url.pathname + url.search : "/";
  } catch {
    return "/";
  }
}

export function loginAddress(): string {
  return `/login?to=${encodeURIComponent(location.pathname + location.search)}`;
}
