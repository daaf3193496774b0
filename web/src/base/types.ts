// The API's shapes by the names the pages use. Those of the OpenAPI document are generated from it.

import type { components } from "../generated/openapi";

type Schemas = components["schemas"];

export type Item = Schemas["Item"];
export type ItemOfSale = Schemas["ItemOfSale"];
export type Stock = Schemas["Stock"];
export type SaleState = Schemas["SaleState"];
export type Sale = Schemas["Sale"];
export type Listing = Schemas["Listing"];
export type Order = Schemas["Order"];
export type OrderState = Schemas["OrderState"];
export type OrderDelivery = Schemas["OrderDelivery"];
export type Contact = Schemas["ContactGiven"];
export type ContactFields = Schemas["ContactQuestions"];
export type StoredContact = Schemas["StoredContact"];
export type ContactOfOrder = Schemas["ContactOfOrder"];
export type Ticket = Schemas["Ticket"];
export type Pass = Schemas["Pass"];
export type Session = Schemas["Session"];
// `factorMissing`: the server requires a second factor of this user, and this session has not shown
// it.
export type User = Session["user"] & { factorMissing?: true };
export type AccountRules = Schemas["AccountRules"];
export type PhoneCodeSent = Schemas["PhoneCodeSent"];
export type SecondFactorState = Schemas["SecondFactor"];
export type SecondFactorSecret = Schemas["SecondFactorSecret"];
export type RecoveryCodes = Schemas["RecoveryCodes"];
export type SandboxMessage = Schemas["SandboxMessage"];
export type FieldError = { field: string; message: string };

export type SalePage = { sales: Sale[]; next_cursor: string | null; now: string };
export type OrderPage = { orders: Order[]; next_cursor: string | null };
export type Purchase = Schemas["Purchase"] | Schemas["QueuedPurchase"];
export type Payment = Schemas["Payment"];
export type News = Schemas["StreamMessage"];

type Posed<Kind, Needed extends keyof NewChallenge> = Omit<NewChallenge, "kind"> &
  Required<Pick<NewChallenge, Needed>> & { kind: Kind };
type NewChallenge = Schemas["NewChallenge"];
export type MathChallenge = Posed<"math", "image">;
export type PowChallenge = Posed<"pow", "prefix" | "bits">;
export type Challenge = MathChallenge | PowChallenge;
