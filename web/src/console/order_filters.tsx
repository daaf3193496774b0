import { useEffect, useState } from "preact/hooks";

import { Away, get, Problem } from "../base/api";
import { Field } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import type { OrderFilter } from "./order_search";
import { words } from "./texts";
import type { UserRow } from "./types";
import { nameOf, useWho } from "./who";

const states = ["pending", "paid", "expired", "cancelled", "refunded"] as const;
const oddMoney = ["owed", "late", "surplus", "mismatch"] as const;

type Props = {
  filter: OrderFilter;
  change: (filter: OrderFilter) => void;
  names: Map<string, string>; // of sales, by their numbers
};

export function OrderFilters({ filter, change, names }: Props) {
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
      <Buyer chosen={filter.buyer} choose={(buyer) => change({ ...filter, buyer })} />
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

// The API knows buyers by their number, operators by their phone.
function Buyer({ chosen, choose }: { chosen: string; choose: (id: string) => void }) {
  const [wrong, setWrong] = useState<string>();
  // What stands there while it is typed, whatever else is drawn meanwhile.
  const [typed, setTyped] = useState(chosen);
  useEffect(() => setTyped(chosen), [chosen]);
  async function find(whom: string) {
    setWrong(undefined);
    if (whom === "" || isNumber(whom)) return choose(whom);
    try {
      const found = await buyerWith(whom);
      if (found) choose(found);
      else setWrong(words("users_none"));
    } catch (failure) {
      if (failure instanceof Problem) setWrong(failure.message);
      else if (failure instanceof Away) setWrong(noAnswer());
      else throw failure;
    }
  }
  const who = useWho(chosen);
  return (
    <Field
      name="buyer"
      label={words("find_buyer")}
      wrong={wrong}
      {...(who && { hint: nameOf(who) })}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => void find(event.currentTarget.value.trim())}
        />
      )}
    </Field>
  );
}

// Longer than any phone.
const isNumber = (typed: string) => /^\d{16,}$/.test(typed);

async function buyerWith(phone: string): Promise<string | undefined> {
  const { users } = await get<{ users: UserRow[] }>(
    `/admin/users?phone=${encodeURIComponent(phone)}&limit=1`,
  );
  return users[0]?.id;
}
