import { useEffect, useRef, useState } from "preact/hooks";

import { Problem } from "../base/api";
import { Field } from "../ui/parts";
import { text } from "../ui/texts";
import type { Listed } from "./ask";
import { inWordsOfTheForm } from "./checks";
import { type OrderFilter, typedOf, whomOf } from "./order_search";
import { words } from "./texts";
import { type OrderOfBuyer, orderDeliveryStates } from "./types";

const states = ["pending", "paid", "expired", "cancelled", "refunded"] as const;
const oddMoney = ["owed", "late", "surplus", "mismatch"] as const;

type Props = {
  filter: OrderFilter;
  change: (filter: OrderFilter) => void;
  names: Map<string, string>; // of sales, by their numbers
  list: Listed<OrderOfBuyer>;
};

export function OrderFilters({ filter, change, names, list }: Props) {
  const set = (name: keyof OrderFilter) => (event: { currentTarget: { value: string } }) =>
    change({ ...filter, [name]: event.currentTarget.value });
  return (
    <div class="filters many">
      <Field name="sale" label={words("head_sale")}>
        {(attributes) => (
          <select {...attributes} value={filter.sale} onChange={set("sale")}>
            <option value="">{words("all")}</option>
            {[...names].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="state" label={words("head_state")}>
        {(attributes) => (
          <select {...attributes} value={filter.state} onChange={set("state")}>
            <option value="">{words("all")}</option>
            {states.map((name) => (
              <option key={name} value={name}>
                {text(`state_${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="money" label={words("money")}>
        {(attributes) => (
          <select {...attributes} value={filter.money} onChange={set("money")}>
            <option value="">{words("all")}</option>
            {oddMoney.map((name) => (
              <option key={name} value={name}>
                {words(`money_${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="delivery" label={words("order_delivery")}>
        {(attributes) => (
          <select {...attributes} value={filter.delivery} onChange={set("delivery")}>
            <option value="">{words("all")}</option>
            {orderDeliveryStates.map((name) => (
              <option key={name} value={name}>
                {words(`order_delivery_${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Buyer {...{ filter, change }} known={useNameOf(filter.buyer, list)} wrong={wrongOf(list)} />
      {(["from", "to"] as const).map((name) => (
        <Field key={name} name={name} label={words(`ordered_${name}`)}>
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              value={filter[name]}
              onChange={set(name)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

// The title of the sale with this number. It stays while the list is read again.
function useNameOf(buyer: string, { rows }: Listed<OrderOfBuyer>): string | undefined {
  const known = useRef({ buyer: "", name: "" });
  const row = buyer ? rows?.find(({ buyer_id }) => buyer_id === buyer) : undefined;
  if (row) known.current = { buyer, name: row.buyer_name || row.buyer_phone };
  return known.current.buyer === buyer ? known.current.name : undefined;
}

// The server's complaint about the buyer's name or phone, shown beside the field.
export function wrongOf({ trouble }: Listed<OrderOfBuyer>): string | undefined {
  if (!(trouble instanceof Problem)) return undefined;
  const whom = ["buyer", "phone", "buyer_name"];
  return trouble.errors.find(({ field }) => whom.includes(field))?.message;
}

type BuyerProps = {
  filter: OrderFilter;
  change: (filter: OrderFilter) => void;
  known: string | undefined;
  wrong: string | undefined;
};

function Buyer({ filter, change, known, wrong }: BuyerProps) {
  const shown = typedOf(filter, known);
  // What the field contains while somebody types, whatever else is redrawn meanwhile.
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  return (
    <Field
      name="buyer"
      label={words("find_buyer")}
      hint={words("find_buyer_hint")}
      wrong={wrong && inWordsOfTheForm(wrong)}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => change({ ...filter, ...whomOf(event.currentTarget.value.trim()) })}
        />
      )}
    </Field>
  );
}
