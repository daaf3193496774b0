// For whom a sale is. The server decides; this tells people beforehand.

import type { Sale } from "./types";

type Meant = Pick<Sale, "audience" | "listed_until">;

// Whether only the buyers on the list of the sale can buy now. The device's time decides while the
// server's is unknown.
export function listedOnly({ audience, listed_until }: Meant, now: number | null): boolean {
  if (audience !== "listed_first") return audience === "listed";
  return listed_until !== null && (now ?? Date.now()) < Date.parse(listed_until);
}

// `listing`: whether the list names the visitor; null while that is not known.
export type Standing = "stranger" | "unknown" | "listed" | "not_listed";

export function standingOf(loggedIn: boolean, listing: boolean | null): Standing {
  if (!loggedIn) return "stranger";
  if (listing === null) return "unknown";
  return listing ? "listed" : "not_listed";
}
