// A sale is shown by its item, its name, and its start.

import { useMemo } from "preact/hooks";

import { rowTime } from "../base/format";
import { currentLanguage } from "../base/i18n";
import { fetchSales } from "../base/sales";
import { saleTitle } from "../base/titles";
import type { Sale } from "../base/types";
import { useAsked } from "./ask";

const once = 3_600_000;

export const saleName = (sale: Pick<Sale, "item" | "name" | "starts_at">) =>
  `${saleTitle(sale)} · ${rowTime(sale.starts_at)}`;

// By their numbers, for lists that have nothing else of a sale.
export function useSaleNames(): Map<string, string> {
  const { value } = useAsked("/sales", once, fetchSales);
  return useMemo(
    () => new Map(value?.map((sale) => [sale.id, saleName(sale)])),
    [value, currentLanguage()],
  );
}
