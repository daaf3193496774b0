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
const audiences = ["everyone", "listed", "listed_first"] as const;
const alternatives = ["none", "pow"] as const;

// What every field of the form needs.
type Form = Pick<Props, "draft" | "change" | "wrong">;

export function PlanFields({ items, fixed, copied, ...form }: Props) {
  return (
    <>
      <Chosen {...form} of="item_id" label={words("head_item")} disabled={fixed !== null}>
        {(fixed ? [fixed] : items).map((item) => (
          <option key={item.id} value={item.id}>
            {item.title}
          </option>
        ))}
      </Chosen>
      <Typed {...form} of="name" label="field_name" hint={words("field_name_hint")} />
      <div class="columns">
        <Typed {...form} of="campaign" label="field_campaign" hint={words("field_campaign_hint")} />
        <Typed {...form} of="tags" label="field_tags" hint={words("field_tags_hint")} />
      </div>
      <Offer {...form} fixed={fixed !== null} copied={copied} />
      <Times {...form} />
      <Audience {...form} />
      <Bounds {...form} />
      <ChallengeFields {...form} />
    </>
  );
}

// What is sold at which price, and how much of it.
function Offer({ fixed, copied, ...form }: Form & { fixed: boolean; copied: number | null }) {
  return (
    <div class="columns">
      <Chosen {...form} of="kind" label={words("field_kind")} disabled={fixed}>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {words(`kind_${kind}`)}
          </option>
        ))}
      </Chosen>
      <Typed {...form} of="price" name="price_cents" label="head_price" inputMode="decimal" />
      <Typed
        {...form}
        of="stock"
        label="field_stock"
        inputMode="numeric"
        disabled={fixed}
        hint={hintOfStock(fixed, copied)}
      />
    </div>
  );
}

function hintOfStock(fixed: boolean, copied: number | null): string | undefined {
  if (fixed) return words("field_stock_fixed");
  return copied === null ? undefined : words("field_stock_copied", { n: copied });
}

function Times(form: Form) {
  return (
    <div class="columns of-times">
      <Typed
        {...form}
        of="starts_at"
        label="field_starts"
        type="datetime-local"
        hint={words("field_starts_hint")}
      />
      <Typed
        {...form}
        of="ends_at"
        label="field_ends"
        type="datetime-local"
        hint={words(form.draft.kind === "flash" ? "field_ends_hint" : "no_end")}
      />
    </div>
  );
}

// Who may buy.
function Audience(form: Form) {
  return (
    <div class="columns">
      <Chosen
        {...form}
        of="audience"
        label={words("field_audience")}
        hint={words("field_audience_hint")}
      >
        {audiences.map((audience) => (
          <option key={audience} value={audience}>
            {words(`audience_${audience}`)}
          </option>
        ))}
      </Chosen>
      {form.draft.audience === "listed_first" && (
        <Typed
          {...form}
          of="listed_until"
          label="field_listed_until"
          type="datetime-local"
          hint={words("field_listed_until_hint")}
        />
      )}
    </div>
  );
}

function Bounds(form: Form) {
  return (
    <div class="columns">
      <Typed {...form} of="limit_per_buyer" label="field_limit" inputMode="numeric" />
      <Typed
        {...form}
        of="hold_seconds"
        label="field_hold"
        inputMode="numeric"
        hint={words("field_hold_hint")}
      />
      <Typed
        {...form}
        of="gate_factor"
        label="field_gate"
        inputMode="numeric"
        hint={words("field_gate_hint")}
      />
      <Typed
        {...form}
        of="unpaid_limit"
        label="field_unpaid"
        inputMode="numeric"
        hint={words("field_unpaid_hint")}
      />
    </div>
  );
}

function ChallengeFields(form: Form) {
  return (
    <div class="columns">
      <Chosen {...form} of="challenge" label={text("fact_challenge")}>
        {challenges.map((challenge) => (
          <option key={challenge} value={challenge}>
            {text(`challenge_${challenge}`)}
          </option>
        ))}
      </Chosen>
      {form.draft.challenge === "math" && (
        <Chosen
          {...form}
          of="challenge_alternative"
          label={words("field_alternative")}
          hint={words("field_alternative_hint")}
        >
          {alternatives.map((alternative) => (
            <option key={alternative} value={alternative}>
              {words(`alternative_${alternative}`)}
            </option>
          ))}
        </Chosen>
      )}
      {asksForWork(form.draft) && (
        <Typed
          {...form}
          of="challenge_bits"
          label="field_bits"
          inputMode="numeric"
          hint={words("field_bits_hint")}
        />
      )}
    </div>
  );
}

// `of`: the value of the draft that it shows.
type ChosenProps = Form & {
  of: keyof Draft;
  label: string;
  hint?: string;
  disabled?: boolean;
  children: ComponentChildren;
};

function Chosen(props: ChosenProps) {
  const { draft, change, wrong, of, label, hint, disabled = false, children } = props;
  return (
    <Field name={of} label={label} wrong={wrong(of)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <select
          {...attributes}
          value={draft[of]}
          disabled={disabled}
          onChange={(event) => change(of, event.currentTarget.value)}
        >
          {children}
        </select>
      )}
    </Field>
  );
}

// `name`: what the server calls it, where that differs.
type TypedProps = Form & {
  of: keyof Draft;
  name?: string;
  label: WordsKey;
  hint?: string | undefined;
  type?: string;
  inputMode?: "decimal" | "numeric";
  disabled?: boolean;
};

function Typed(props: TypedProps) {
  const { draft, change, wrong, of, name = of, label, hint, type = "text", ...rest } = props;
  return (
    <Field name={name} label={words(label)} wrong={wrong(name)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <input
          {...attributes}
          {...rest}
          value={draft[of]}
          type={type}
          step={type === "datetime-local" ? 1 : undefined}
          onInput={(event) => change(of, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
