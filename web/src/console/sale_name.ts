// A sale is known by what it sells and when it starts.

import { rowTime } from "../base/format";
import type { Sale } from "../base/types";

export const saleName = ({ item, starts_at }: Pick<Sale, "item" | "starts_at">) =>
  `${item.title} · ${rowTime(starts_at)}`;
