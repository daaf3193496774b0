import { useState } from "preact/hooks";

import { money, number } from "../base/format";
import type { Item } from "../base/types";
import { mount } from "../ui/page";
import { Field, Picture, StateBadge } from "../ui/parts";
import { useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { words } from "./texts";

const shelves = ["none", "only", "all"] as const;

function Items() {
  const [archived, setArchived] = useState<(typeof shelves)[number]>("none");
  const list = useListed<Item>(`/items?archived=${archived}&limit=50`, "items");
  return (
    <ConsolePage title={words("place_items")}>
      <Heading title={words("place_items")} lead={words("items_lead")}>
        <a class="button" href="/console/item">
          {words("item_new")}
        </a>
      </Heading>
      <div class="filters">
        <Field name="archived" label={words("items_which")}>
          {(attributes) => (
            <select
              {...attributes}
              value={archived}
              onChange={(event) => setArchived(event.currentTarget.value as typeof archived)}
            >
              {shelves.map((name) => (
                <option key={name} value={name}>
                  {words(`items_archived_${name}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ListTable
        list={list}
        label={words("place_items")}
        none={words(archived === "only" ? "items_none_archived" : "items_none")}
        heads={[
          words("head_item"),
          `>${words("head_list_price")}`,
          `>${words("head_sold")}`,
          words("head_sale"),
          words("head_actions"),
        ]}
        row={(item) => <Row key={item.id} item={item} />}
      />
    </ConsolePage>
  );
}

function Row({ item }: { item: Item }) {
  return (
    <tr>
      <td>
        <div class="item-cell">
          <Picture item={item} />
          <div class="main-cell">
            <a href={`/console/item?id=${item.id}`}>{item.title}</a>
            <span class="small faint">{[item.category, item.id].filter(Boolean).join(" · ")}</span>
          </div>
        </div>
      </td>
      <td class="right figures">{money(item.list_price_cents, item.currency)}</td>
      <td class="right figures">{number(item.sold)}</td>
      <td>
        {item.sale ? (
          <a class="badge-link" href={`/console/sale?id=${item.sale.id}`}>
            <StateBadge state={item.sale.state} />
            <span class="visually-hidden"> {item.title}</span>
          </a>
        ) : (
          <span class="faint">–</span>
        )}
      </td>
      <td>
        {item.archived ? (
          <span class="badge">{words("item_archived")}</span>
        ) : (
          <a href={`/console/plan?item=${item.id}`}>
            {words("plan_sale")}
            <span class="visually-hidden">: {item.title}</span>
          </a>
        )}
      </td>
    </tr>
  );
}

mount(Items);
