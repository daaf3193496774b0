import type { ComponentChildren } from "preact";

import type { ItemOfSale } from "../base/types";
import { Field } from "../ui/parts";
import { text } from "../ui/texts";
import { asksForWork, type Draft } from "./plan_draft";
import { words, type WordsKey } from "./texts";

type Props = {
  draft: Draft;
  change: (name: keyof Draft, value: string) => void;
  items: ItemOfSale[];
  // The item of a sale that is there; it never changes.
  fixed: ItemOfSale | null;
  // How many units the sale had that this one is copied from.
  copied: number | null;
  wrong: (name: string) => string | undefined;
};

const kinds = ["flash", "standing"] as const;
const challenges = ["none", "math", "pow"] as const;
const alternatives = ["none", "pow"] as const;

export function PlanFields({ draft, change, items, fixed, copied, wrong }: Props) {
  const typed = (name: keyof Draft, label: WordsKey, more: Partial<Typed> = {}) => (
    <TypedField
      {...more}
      name={more.name ?? name}
      label={words(label)}
      wrong={wrong}
      value={draft[name]}
      change={(value) => change(name, value)}
    />
  );
  const chosen = (name: keyof Draft, label: string, options: ComponentChildren, hint?: string) => (
    <Field name={name} label={label} wrong={wrong(name)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <select
          {...attributes}
          value={draft[name]}
          disabled={fixed !== null && (name === "item_id" || name === "kind")}
          onChange={(event) => change(name, event.currentTarget.value)}
        >
          {options}
        </select>
      )}
    </Field>
  );
  return (
    <>
      {chosen(
        "item_id",
        words("head_item"),
        (fixed ? [fixed] : items).map((item) => (
          <option key={item.id} value={item.id}>
            {item.title}
          </option>
        )),
      )}
      {typed("name", "field_name", { hint: words("field_name_hint") })}
      <div class="columns">
        {typed("campaign", "field_campaign", { hint: words("field_campaign_hint") })}
        {typed("tags", "field_tags", { hint: words("field_tags_hint") })}
      </div>
      <div class="columns">
        {chosen(
          "kind",
          words("field_kind"),
          kinds.map((kind) => (
            <option key={kind} value={kind}>
              {words(`kind_${kind}`)}
            </option>
          )),
        )}
        {typed("price", "head_price", { name: "price_cents", inputMode: "decimal" })}
        {typed("stock", "field_stock", {
          inputMode: "numeric",
          disabled: fixed !== null,
          hint: hintOfStock(fixed !== null, copied),
        })}
      </div>
      <div class="columns of-times">
        {typed("starts_at", "field_starts", {
          type: "datetime-local",
          hint: words("field_starts_hint"),
        })}
        {typed("ends_at", "field_ends", {
          type: "datetime-local",
          hint: words(draft.kind === "flash" ? "field_ends_hint" : "no_end"),
        })}
      </div>
      <div class="columns">
        {typed("limit_per_buyer", "field_limit", { inputMode: "numeric" })}
        {typed("hold_seconds", "field_hold", {
          inputMode: "numeric",
          hint: words("field_hold_hint"),
        })}
        {typed("gate_factor", "field_gate", {
          inputMode: "numeric",
          hint: words("field_gate_hint"),
        })}
        {typed("unpaid_limit", "field_unpaid", {
          inputMode: "numeric",
          hint: words("field_unpaid_hint"),
        })}
      </div>
      <div class="columns">
        {chosen(
          "challenge",
          text("fact_challenge"),
          challenges.map((challenge) => (
            <option key={challenge} value={challenge}>
              {text(`challenge_${challenge}`)}
            </option>
          )),
        )}
        {draft.challenge === "math" &&
          chosen(
            "challenge_alternative",
            words("field_alternative"),
            alternatives.map((alternative) => (
              <option key={alternative} value={alternative}>
                {words(`alternative_${alternative}`)}
              </option>
            )),
            words("field_alternative_hint"),
          )}
        {asksForWork(draft) &&
          typed("challenge_bits", "field_bits", {
            inputMode: "numeric",
            hint: words("field_bits_hint"),
          })}
      </div>
    </>
  );
}

function hintOfStock(fixed: boolean, copied: number | null): string | undefined {
  if (fixed) return words("field_stock_fixed");
  return copied === null ? undefined : words("field_stock_copied", { n: copied });
}

type Typed = {
  name: string;
  label: string;
  hint?: string | undefined;
  value: string;
  type?: string;
  inputMode?: "decimal" | "numeric";
  disabled?: boolean;
  change: (value: string) => void;
  wrong: (name: string) => string | undefined;
};

function TypedField({ name, label, hint, wrong, change, type = "text", ...rest }: Typed) {
  return (
    <Field name={name} label={label} wrong={wrong(name)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <input
          {...attributes}
          {...rest}
          type={type}
          step={type === "datetime-local" ? 1 : undefined}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
