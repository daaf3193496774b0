// The API's fields and their values as an operator knows them, for the audit trail and the marks.

import { dateAndTime, money, number } from "../base/format";
import { text } from "../ui/texts";
import { isLimit, limitName } from "./limit_name";
import { hasWords, named, words, type WordsKey } from "./texts";

const fieldWords: Record<string, WordsKey> = {
  item_id: "number_of_item",
  sale_id: "number_of_sale",
  buyer_id: "number_of_buyer",
  kind: "field_kind",
  price_cents: "head_price",
  list_price_cents: "field_list_price",
  currency: "field_currency",
  starts_at: "starts",
  ends_at: "ends",
  ended_at: "mark_end",
  paused: "mark_pause",
  limit_per_buyer: "field_limit",
  hold_seconds: "field_hold",
  gate_factor: "field_gate",
  unpaid_limit: "field_unpaid",
  challenge_alternative: "field_alternative",
  challenge_bits: "field_bits",
  name: "field_name",
  campaign: "field_campaign",
  tags: "field_tags",
  audience: "field_audience",
  listed_until: "field_listed_until",
  listed: "field_listed",
  phones: "field_listed_phones",
  "stock.total": "field_stock",
  "stock.left": "tile_left",
  "stock.held": "tile_held",
  "stock.sold": "tile_sold",
  title: "field_title",
  description: "field_description",
  image_url: "field_image",
  category: "field_category",
  pictures: "field_pictures",
  archived: "item_archived",
  role: "head_role",
  reason: "head_reason",
  until: "head_until",
  url: "head_url",
  events: "head_events",
  buyers: "role_buyer",
  subject: "head_blocked",
  orders: "place_orders",
  units: "field_units",
  carrier: "carrier",
  number: "tracking_number",
  delivery: "order_delivery",
};

export function fieldName(field: string): string {
  if (field === "challenge") return text("fact_challenge");
  const key = fieldWords[field];
  if (key) return words(key);
  return isLimit(field) ? limitName(field) : field;
}

// `currency`: of the amounts, where it is known.
export function valueText(field: string, value: unknown, currency?: string): string {
  if (value === null || value === undefined || value === "")
    return field === "ends_at" ? words("no_end") : "–";
  if (typeof value === "boolean") return words(value ? "yes" : "no");
  if (Array.isArray(value)) return listText(field, value);
  if (typeof value === "object") return JSON.stringify(value);
  if (field.endsWith("_cents") && typeof value === "number" && currency)
    return money(value, currency);
  return typeof value === "number" ? number(value) : wordText(field, String(value));
}

function listText(field: string, list: unknown[]): string {
  const texts = list.map((one) => (field === "events" ? named("event", String(one)) : String(one)));
  return texts.join(", ") || "–";
}

const fieldsOfWords = ["kind", "role", "audience"];

function wordText(field: string, value: string): string {
  if (isInstant(value)) return dateAndTime(value);
  if (field === "challenge" && (value === "none" || value === "math" || value === "pow"))
    return text(`challenge_${value}`);
  if (field === "challenge_alternative" && (value === "none" || value === "pow"))
    return words(`alternative_${value}`);
  const key = `${field}_${value}`;
  return fieldsOfWords.includes(field) && hasWords(key) ? words(key) : value;
}

const isInstant = (value: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
