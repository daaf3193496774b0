// Checks what was typed, and reports all mistakes at once with the names of the form. The server
// decides in the end; a test compares its limits with these.

import type { FieldError } from "../base/types";
import { instantOf, minorUnits, wholeNumber } from "./fields";
import { isLimit, limitName } from "./limit_name";
import { asksForWork, type Draft } from "./plan_draft";
import { words } from "./texts";

export const bounds = {
  stock: [0, 1_000_000_000],
  limit_per_buyer: [1, 1000],
  hold_seconds: [1, 86_400],
  challenge_bits: [8, 28],
  gate_factor: [1, 10_000],
  unpaid_limit: [1, 1000],
} as const;

type Wrong = string | null;

export function missing(typed: string): Wrong {
  return typed.trim() === "" ? words("wrong_missing") : null;
}

export function wrongAmount(typed: string, currency: string): Wrong {
  const amount = minorUnits(typed, currency);
  if (amount === undefined) return words("wrong_missing");
  if (typeof amount === "string" || amount < 0)
    return words("wrong_amount", {
      example: minorUnits("0.5", currency) === 50 ? "19.90" : "1990",
    });
  return null;
}

export function wrongWhole(typed: string, [low, high]: readonly [number, number]): Wrong {
  const value = wholeNumber(typed);
  if (typeof value === "number" && value >= low && value <= high) return null;
  return value === undefined ? words("wrong_missing") : words("wrong_whole", { low, high });
}

// `begun`: most fields of a running sale may not change, and so are not checked.
export function wrongDraft(
  draft: Draft,
  currency: string,
  now: number,
  begun = false,
): FieldError[] {
  const optional = (typed: string, wrong: () => Wrong) => (typed.trim() === "" ? null : wrong());
  const checks: [string, Wrong][] = [
    ["ends_at", wrongEnd(draft, now)],
    ["limit_per_buyer", wrongWhole(draft.limit_per_buyer, bounds.limit_per_buyer)],
    ["hold_seconds", wrongWhole(draft.hold_seconds, bounds.hold_seconds)],
    ["gate_factor", wrongWhole(draft.gate_factor, bounds.gate_factor)],
    ["unpaid_limit", wrongWhole(draft.unpaid_limit, bounds.unpaid_limit)],
  ];
  if (draft.audience === "listed_first")
    checks.push(["listed_until", wrongListedUntil(draft, now)]);
  if (asksForWork(draft)) {
    const wrong = () => wrongWhole(draft.challenge_bits, bounds.challenge_bits);
    checks.push(["challenge_bits", optional(draft.challenge_bits, wrong)]);
  }
  if (!begun) {
    const price = () => wrongAmount(draft.price, currency);
    checks.unshift(
      ["price_cents", draft.kind === "standing" ? optional(draft.price, price) : price()],
      ["stock", wrongWhole(draft.stock, bounds.stock)],
    );
  }
  return checks.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]));
}

function wrongEnd({ starts_at, ends_at }: Draft, now: number): Wrong {
  const ends = Date.parse(instantOf(ends_at) ?? "");
  if (Number.isNaN(ends)) return null;
  const starts = Date.parse(instantOf(starts_at) ?? "");
  if (ends <= (Number.isNaN(starts) ? now : starts)) return words("wrong_before_start");
  return ends <= now ? words("wrong_past") : null;
}

function wrongListedUntil({ starts_at, ends_at, listed_until }: Draft, now: number): Wrong {
  const at = (typed: string) => Date.parse(instantOf(typed) ?? "");
  const until = at(listed_until);
  if (Number.isNaN(until)) return words("wrong_missing");
  const starts = at(starts_at);
  if (until <= (Number.isNaN(starts) ? now : starts)) return words("wrong_before_start");
  return until >= at(ends_at) ? words("wrong_after_end") : null;
}

const labels = {
  audience: "field_audience",
  listed_until: "field_listed_until",
  list: "list_file",
  starts_at: "field_starts",
  ends_at: "field_ends",
  price_cents: "head_price",
  list_price_cents: "field_list_price",
  stock: "field_stock",
  limit_per_buyer: "field_limit",
  hold_seconds: "field_hold",
  gate_factor: "field_gate",
  unpaid_limit: "field_unpaid",
  challenge_alternative: "field_alternative",
  challenge_bits: "field_bits",
  name: "field_name",
  campaign: "field_campaign",
  tags: "field_tags",
  title: "field_title",
  description: "field_description",
  image_url: "field_image",
  category: "field_category",
  pictures: "field_pictures",
  currency: "field_currency",
  item_id: "head_item",
  delta: "restock_by",
  reason: "head_reason",
  until: "head_until",
  url: "head_url",
  role: "head_role",
  carrier: "carrier",
  number: "tracking_number",
} as const;

const isLabelled = (name: string): name is keyof typeof labels => name in labels;

export function labelOf(field: string): string {
  if (isLabelled(field)) return words(labels[field]);
  return isLimit(field) ? limitName(field) : field;
}

// The server uses the API's names of fields; a form uses names for people.
export function inWordsOfTheForm(message: string): string {
  return message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) =>
    isLabelled(name) ? `“${words(labels[name])}”` : name,
  );
}
