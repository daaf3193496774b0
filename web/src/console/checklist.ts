// What an operator should look at once more before a sale is published.

import { dateAndTime, discount, money, number } from "../base/format";
import type { Sale } from "../base/types";
import { audienceText, challengeText, span } from "../shop/offer";
import { text } from "../ui/texts";
import { words } from "./texts";

// `doubt`: why this may be a mistake.
export type Line = { name: string; label: string; value: string; doubt: string | null };

const leastHoldSeconds = 120;
const mostHoldSeconds = 3600;
const slowSeconds = 60; // … a flash sale that takes longer to sell out is not a flash sale

// What the server knows besides the sale; null while that is not known. `payable`: whether buyers can
// pay. `listed`: how many are on the list that goes with the sale. `perSecond`: how many purchases of one sale are let through in a second, 0 without a bound.
export type Around = {
  webhooks: number | null;
  payable: boolean | null;
  perSecond: number | null;
  listed?: number;
};

// `sale` is as it would be created.
export function checklist(sale: Sale, opensNow: boolean, around: Around): Line[] {
  const { webhooks, payable, perSecond, listed = 0 } = around;
  const line = (name: string, label: string, value: string, doubt: string | false) => ({
    name,
    label,
    value,
    doubt: doubt || null,
  });
  const { stock, limit_per_buyer: limit, hold_seconds: hold, challenge } = sale;
  return [
    line(
      "opens",
      words("field_starts"),
      opensNow ? words("check_opens_now") : dateAndTime(sale.starts_at),
      opensNow && words("check_opens_now_more"),
    ),
    line(
      "stock",
      words("field_stock"),
      number(stock.total),
      stock.total === 0 && words("check_no_stock"),
    ),
    line("price", words("head_price"), priceOf(sale), doubtPrice(sale)),
    line(
      "limit",
      words("field_limit"),
      number(limit),
      limit > 1 && limit >= stock.total && words("check_one_takes_all"),
    ),
    line("hold", words("field_hold"), span(hold), doubtHold(hold)),
    line(
      "challenge",
      text("fact_challenge"),
      challengeText(sale),
      challenge === "none" && sale.kind === "flash" && words("check_no_challenge"),
    ),
    ...(sale.audience === "everyone"
      ? []
      : [
          line(
            "audience",
            words("field_audience"),
            `${audienceText(sale)} · ${words("list_has", { n: number(listed) })}`,
            listed === 0 && words(`check_${sale.audience}_empty`),
          ),
        ]),
    line(
      "payment",
      words("check_payment"),
      payable === null ? "–" : words(payable ? "check_payable" : "check_not_payable"),
      payable === false && words("check_not_payable_more"),
    ),
    line(
      "capacity",
      words("check_capacity"),
      perSecond === null
        ? "–"
        : perSecond === 0
          ? words("check_no_bound")
          : words("check_per_second", { n: perSecond }),
      doubtCapacity(stock.total, perSecond),
    ),
    line(
      "webhooks",
      words("place_webhooks"),
      webhooks === null ? "–" : number(webhooks),
      webhooks === 0 && words("check_no_webhook"),
    ),
  ];
}

function priceOf({ price_cents, currency, item }: Sale): string {
  const price = money(price_cents, currency);
  const off = discount(price_cents, item.list_price_cents);
  const list = `${words("head_list_price")} ${money(item.list_price_cents, currency)}`;
  return `${price} · ${list}${off === null ? "" : ` · ${text("discount", { off })}`}`;
}

function doubtPrice({ price_cents, item }: Sale): string | false {
  if (price_cents > item.list_price_cents) return words("check_price_above");
  return price_cents * 10 < item.list_price_cents && words("check_price_low");
}

function doubtHold(seconds: number): string | false {
  if (seconds < leastHoldSeconds) return words("check_hold_short");
  return seconds > mostHoldSeconds && words("check_hold_long");
}

// One purchase takes one unit or more, so this is the longest that it takes with enough buyers.
function doubtCapacity(units: number, perSecond: number | null): string | false {
  if (!perSecond || units <= perSecond * slowSeconds) return false;
  return words("check_slow", { time: span(Math.ceil(units / perSecond / 60) * 60) });
}
