// Data that only operators see. Some of it does not exist on every server; then the page says that
// it is not available.

import type { components } from "../generated/openapi";

type Schemas = components["schemas"];

export type Audit = Schemas["Audit"];
export type Notice = Schemas["Notice"];
// Operators see the parts; strangers only whether all is ready.
export type Readiness = Required<Schemas["Readiness"]>;
export type TrailEntry = Schemas["TrailEntry"];
export type Role = Schemas["Role"];
export type Node = Schemas["Node"];
export type Nodes = Schemas["NodeList"];

export type BuyerListShown = Schemas["BuyerListShown"];

export type Alerts = Schemas["AlertList"];
export type AlertChannel = Schemas["AlertChannel"];
export type Alert = Schemas["Alert"];
export type AlertTest = Schemas["AlertTest"];

export type Uploaded = Schemas["Picture"];

export type Queue = Schemas["Queue"];
export type ParkedTicket = Schemas["ParkedTicket"];
export type ParkedOutcome = Schemas["Ticket"];

export type UserRow = Schemas["UserRow"];
export type Block = Schemas["Block"];
export type Holds = Schemas["Holds"];
export type HoldsOfAge = Schemas["HoldsOfAge"];
export type HoldsGivenBack = Schemas["HoldsGivenBack"];
export type LimitNumber = Schemas["RateLimitNumber"];
export type Limits = Schemas["RateLimits"];

export type Refund = Schemas["Refund"];
export type OrderOfBuyer = Schemas["OrderOfBuyer"];
export type OrderWithMoney = Schemas["OrderWithMoney"];

export const orderDeliveryStates = [
  "none",
  "preparing",
  "shipped",
  "delivered",
] as const satisfies Schemas["OrderDeliveryState"][];

export type ContactFieldsOfShop = Schemas["ContactQuestionsOfShop"];

export type Webhook = Schemas["Webhook"];
export type NewWebhook = Schemas["NewWebhook"];
export const webhookEvents = [
  "order.created",
  "order.paid",
  "order.expired",
  "order.cancelled",
  "order.refunded",
  "sale.sold_out",
  "sale.reopened",
] as const satisfies Schemas["EventType"][];

export type Delivery = Schemas["Delivery"];
export const deliveryStates = [
  "pending",
  "delivered",
  "dead",
] as const satisfies Schemas["DeliveryState"][];

// A sale at an instant. The funnel is that of its whole life; in a point of its history, it is what
// happened within that point.
export type Stats = Schemas["StatsFields"];
export type Funnel = Schemas["Funnel"];
// `total`: what the sale had come to at the end of the last point.
export type History = { points: Stats[]; total: Funnel; next_from: string | null };

export const funnelSteps = [
  "visits",
  "challenges",
  "passes",
  "attempts",
  "claims",
  "orders",
  "paid",
  "expired",
] as const;
