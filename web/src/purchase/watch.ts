// Tells a shopper who watches a sold-out sale when a unit comes back. The wish for it survives a
// reload.

import { useEffect, useRef, useState } from "preact/hooks";

import { forget, keep, kept } from "../base/storage";
import type { Sale, SaleState } from "../base/types";

export type Wish = { watching: boolean; start: () => void; stop: () => void };
export type Watch = Wish & { back: boolean };

export function useWish(sale: string): Wish {
  const place = `sluice.watched.${sale}`;
  const [watching, setWatching] = useState(() => kept<boolean>(place) === true);
  return {
    watching,
    start: () => {
      keep(place, true);
      setWatching(true);
    },
    stop: () => {
      forget(place);
      setWatching(false);
    },
  };
}

// True when it was sold out while this page was open, or when the shopper asked to watch, and is
// available again.
export function useBack(sale: Sale | null, { watching, stop }: Wish): boolean {
  const [back, setBack] = useState(false);
  const before = useRef<SaleState | null>(watching ? "sold_out" : null);
  useEffect(() => {
    if (!sale) return;
    if (before.current === "sold_out" && sale.state === "open") setBack(true);
    if (sale.state === "sold_out") setBack(false);
    if (sale.state === "ended") stop();
    before.current = sale.state;
  }, [sale]);
  return back;
}
