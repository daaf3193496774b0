import { listedOnly } from "../base/audience";
import { clock } from "../base/server_time";
import type { Listing, Sale, User } from "../base/types";
import { useLatest } from "../ui/use_latest";

const againMilliseconds = 30_000;

// Whether the list of the sale names the user; null while nobody knows, or while it does not matter.
// Asked again from time to time, since the list may change.
export function useListing(sale: Sale, user: User | null): boolean | null {
  const matters = user !== null && listedOnly(sale, clock.now());
  const path = matters ? `/sales/${encodeURIComponent(sale.id)}/listing` : "";
  const { value } = useLatest<Listing>(path, () => againMilliseconds * (1 + Math.random()));
  return matters && value ? value.listed : null;
}
