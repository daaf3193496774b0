// A sale as it stands in the form: everything is what was typed.

import { forget, keep, kept } from "../base/storage";
import type { ItemOfSale, Sale } from "../base/types";
import { instantOf, localInput, majorUnits, minorUnits, wholeNumber } from "./fields";

export type Draft = {
  item_id: string;
  kind: Sale["kind"];
  price: string;
  starts_at: string;
  ends_at: string;
  stock: string;
  limit_per_buyer: string;
  hold_seconds: string;
  challenge: Sale["challenge"];
  challenge_alternative: Sale["challenge_alternative"];
  challenge_bits: string;
  gate_factor: string;
  unpaid_limit: string;
  name: string;
  campaign: string;
  tags: string;
  audience: Sale["audience"];
  listed_until: string;
};

export function blankDraft(item: string): Draft {
  return {
    item_id: item,
    kind: "flash",
    price: "",
    starts_at: "",
    ends_at: "",
    stock: "",
    limit_per_buyer: "1",
    hold_seconds: "900",
    challenge: "none",
    // A sale with a picture offers an alternative to those who cannot see it, unless the operator
    // changes that.
    challenge_alternative: "pow",
    challenge_bits: "",
    gate_factor: "5",
    unpaid_limit: "3",
    name: "",
    campaign: "",
    tags: "",
    audience: "everyone",
    listed_until: "",
  };
}

// A copy is for another day and another delivery, so it has no times and no stock yet: the stock of
// the other sale includes its restocks. Its list is empty too: who was promised the last sale was not
// promised this one.
export function draftOf(sale: Sale, isCopy: boolean): Draft {
  return {
    item_id: sale.item.id,
    kind: sale.kind,
    price: majorUnits(sale.price_cents, sale.currency),
    starts_at: isCopy ? "" : localInput(sale.starts_at),
    ends_at: isCopy ? "" : localInput(sale.ends_at),
    stock: isCopy ? "" : String(sale.stock.total),
    limit_per_buyer: String(sale.limit_per_buyer),
    hold_seconds: String(sale.hold_seconds),
    challenge: sale.challenge,
    challenge_alternative: sale.challenge_alternative,
    challenge_bits: sale.challenge_bits === null ? "" : String(sale.challenge_bits),
    gate_factor: String(sale.gate_factor),
    unpaid_limit: String(sale.unpaid_limit),
    name: sale.name,
    campaign: sale.campaign,
    tags: sale.tags.join(", "),
    audience: sale.audience,
    listed_until: isCopy ? "" : localInput(sale.listed_until),
  };
}

// What the API takes. For an existing sale only what was changed: most of it may not change after
// the start, and a field that was not touched must not be sent.
export function bodyOf(draft: Draft, currency: string, there: Sale | null) {
  const body = bodyOfAll(draft, currency);
  if (!there) return body;
  const before: Record<string, unknown> = bodyOfAll(draftOf(there, false), currency);
  const changed = Object.entries(body).filter(([name, value]) => !isSame(value, before[name]));
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

// As they are typed: with a comma between them, also one of a Chinese keyboard.
export function tagsOf(typed: string): string[] {
  const tags = typed.split(/[,，、\n]/).map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

function bodyOfAll(draft: Draft, currency: string): Record<string, unknown> {
  return {
    item_id: draft.item_id,
    kind: draft.kind,
    price_cents: minorUnits(draft.price, currency),
    starts_at: instantOf(draft.starts_at),
    ends_at: instantOf(draft.ends_at),
    stock: wholeNumber(draft.stock),
    limit_per_buyer: wholeNumber(draft.limit_per_buyer),
    hold_seconds: wholeNumber(draft.hold_seconds),
    challenge: draft.challenge,
    challenge_alternative: draft.challenge_alternative,
    challenge_bits: asksForWork(draft) ? wholeNumber(draft.challenge_bits) : undefined,
    gate_factor: wholeNumber(draft.gate_factor),
    unpaid_limit: wholeNumber(draft.unpaid_limit),
    name: draft.name.trim(),
    campaign: draft.campaign.trim(),
    tags: tagsOf(draft.tags),
    audience: draft.audience,
    listed_until: draft.audience === "listed_first" ? instantOf(draft.listed_until) : undefined,
  };
}

// Of all buyers, or of those who cannot see the picture.
export function asksForWork({ challenge, challenge_alternative }: Draft): boolean {
  return challenge === "pow" || (challenge === "math" && challenge_alternative === "pow");
}

const storageKey = "sluice.sale-draft";

// What was typed for a new sale is kept in this browser until it is published.
export const keepDraft = (draft: Draft) => keep(storageKey, draft);
export const forgetDraft = () => forget(storageKey);

export function keptDraft(): Draft | null {
  const found = kept<Partial<Draft>>(storageKey);
  return found?.item_id ? { ...blankDraft(found.item_id), ...found } : null;
}

// An empty start is now, and a past one is over already.
export function opensAtOnce(draft: Draft, now: number): boolean {
  return !(Date.parse(instantOf(draft.starts_at) ?? "") > now);
}

const flashMilliseconds = 24 * 3_600_000;

// The sale as a shopper would see it, with what is understandable so far.
export function sketch(draft: Draft, item: ItemOfSale, now: number): Sale {
  const numeric = (value: unknown, otherwise: number) =>
    typeof value === "number" && value >= 0 ? value : otherwise;
  const instant = (typed: string) => Date.parse(instantOf(typed) ?? "");
  const starts = instant(draft.starts_at) || now;
  const ends =
    instant(draft.ends_at) || (draft.kind === "flash" ? starts + flashMilliseconds : null);
  const stock = numeric(wholeNumber(draft.stock), 0);
  return {
    id: "",
    item,
    kind: draft.kind,
    price_cents: numeric(minorUnits(draft.price, item.currency), item.list_price_cents),
    currency: item.currency,
    starts_at: new Date(starts).toISOString(),
    ends_at: ends ? new Date(ends).toISOString() : null,
    state: starts > now ? "scheduled" : "open",
    stock: { total: stock, left: stock, held: 0, sold: 0 },
    limit_per_buyer: numeric(wholeNumber(draft.limit_per_buyer), 1),
    hold_seconds: numeric(wholeNumber(draft.hold_seconds), 900),
    challenge: draft.challenge,
    challenge_alternative: draft.challenge_alternative,
    challenge_bits: null,
    gate_factor: 5,
    unpaid_limit: 3,
    name: draft.name.trim(),
    campaign: draft.campaign.trim(),
    tags: tagsOf(draft.tags),
    audience: draft.audience,
    listed_until: listedUntil(draft),
  };
}

function listedUntil({ audience, listed_until }: Draft): string | null {
  if (audience !== "listed_first") return null;
  const until = Date.parse(instantOf(listed_until) ?? "");
  return Number.isNaN(until) ? null : new Date(until).toISOString();
}
