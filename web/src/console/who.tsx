// People by their names. In blocks, orders and the audit trail the API only has their ids.

import { useEffect, useState } from "preact/hooks";

import { get } from "../base/api";
import type { UserRow } from "./types";

const mostKnown = 1000;
const known = new Map<string, Promise<UserRow | null>>();

export function rememberUsers(users: UserRow[]): void {
  for (const user of users) remember(user.id, Promise.resolve(user));
}

function remember(id: string, user: Promise<UserRow | null>): void {
  known.delete(id);
  known.set(id, user);
  const [oldest] = known.keys();
  if (known.size > mostKnown) known.delete(oldest!);
}

function find(id: string): Promise<UserRow | null> {
  if (!known.has(id))
    remember(
      id,
      get<UserRow>(`/admin/users/${encodeURIComponent(id)}`).catch(() => null),
    );
  return known.get(id)!;
}

// Null until it is known, and for an id that nobody has. An empty id: nothing is asked.
export function useWho(id: string): UserRow | null {
  const [found, setFound] = useState<UserRow | null>(null);
  useEffect(() => {
    let wanted = id !== "";
    if (wanted) void find(id).then((user) => wanted && setFound(user));
    return () => void (wanted = false);
  }, [id]);
  return found?.id === id ? found : null;
}

export const nameOf = (user: UserRow) => user.name || user.phone;

// The name with the phone below it; the id while nothing else is known.
export function Who({ id }: { id: string }) {
  const user = useWho(id);
  if (!user) return <>{id}</>;
  return (
    <>
      {nameOf(user)}
      {user.name && <span class="small faint below">{user.phone}</span>}
    </>
  );
}
