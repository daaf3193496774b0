import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { money, rowTime, zoneName } from "../base/format";
import { arrange, fetchLabelled, fetchSales, type Labels } from "../base/sales";
import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { mount, useSaleState } from "../ui/page";
import { useNow } from "../ui/use_now";
import { useOperates } from "../ui/use_user";
import { Countdown, Empty, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { useAsked } from "./ask";
import { ConsolePage, Heading, Table } from "./frame";
import { saleName } from "./sale_name";
import { words } from "./texts";

const leastMilliseconds = 10_000;
const millisecondsForEach = 100; // many sales are many bytes
const shelves = ["running", "coming", "past"] as const;

const paceOf = (sales: Sale[]) => Math.max(leastMilliseconds, sales.length * millisecondsForEach);

const asked = new URLSearchParams(location.search);
const labelKeys = ["campaign", "tag"] as const;

function Home() {
  const [labels, choose] = useLabels();
  const filtering = labels.campaign !== "" || labels.tag !== "";
  const path = `/sales#${JSON.stringify(labels)}`;
  const ask = () => (filtering ? fetchLabelled(labels) : fetchSales());
  const { value: sales, away } = useAsked(path, paceOf, ask);
  const [wanted, setWanted] = useState("");
  const operates = useOperates();
  return (
    <ConsolePage title={words("console")} away={away}>
      <Heading
        title={words("sales_title")}
        lead={words(operates ? "sales_lead" : "sales_lead_support")}
      >
        <a class="button quiet" href="/console/calendar">
          {words("calendar")}
        </a>
        {operates && (
          <a class="button" href="/console/plan">
            {words("sale_new")}
          </a>
        )}
      </Heading>
      {!filtering && sales?.length === 0 ? (
        <NoSales operates={operates} />
      ) : (
        <>
          <Filters {...{ wanted, setWanted, labels, choose, sales }} />
          {sales ? <Sales sales={sales} wanted={wanted} /> : <Skeleton height="18rem" />}
        </>
      )}
    </ConsolePage>
  );
}

// Kept in the address, so that going back from a sale shows the same list.
function useLabels(): [Labels, (change: Partial<Labels>) => void] {
  const [labels, setLabels] = useState<Labels>(() => ({
    campaign: asked.get("campaign") ?? "",
    tag: asked.get("tag") ?? "",
  }));
  useEffect(() => {
    const given = Object.entries(labels).filter(([, label]) => label !== "");
    const query = new URLSearchParams(given).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }, [labels]);
  return [labels, (change) => setLabels((before) => ({ ...before, ...change }))];
}

function NoSales({ operates }: { operates: boolean }) {
  return (
    <Empty icon="box" title={words("sales_none")}>
      {operates && (
        <>
          <p>{words("sales_none_more")}</p>
          <a class="button" href="/console/item">
            {words("item_new")}
          </a>
        </>
      )}
    </Empty>
  );
}

type FiltersProps = {
  wanted: string;
  setWanted: (wanted: string) => void;
  labels: Labels;
  choose: (change: Partial<Labels>) => void;
  sales: Sale[] | null;
};

function Filters({ wanted, setWanted, labels, choose, sales }: FiltersProps) {
  const known = useKnownLabels(sales);
  return (
    <div class="filters">
      <div class="field">
        <label for="wanted">{words("find_sale")}</label>
        <input
          id="wanted"
          type="search"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      {labelKeys.map((key) => (
        <div class="field" key={key}>
          <label for={key}>{words(key === "tag" ? "find_tag" : "field_campaign")}</label>
          <input
            id={key}
            type="search"
            list={`known-${key}`}
            value={labels[key]}
            onChange={(event) => choose({ [key]: event.currentTarget.value.trim() })}
          />
          <datalist id={`known-${key}`}>
            {known[key].map((label) => (
              <option key={label} value={label} />
            ))}
          </datalist>
        </div>
      ))}
    </div>
  );
}

const mostKnown = 200;

// The labels of all sales that the page has seen; another one can be typed.
function useKnownLabels(sales: Sale[] | null): Record<keyof Labels, string[]> {
  const seen = useRef({ campaign: new Set<string>(), tag: new Set<string>() });
  return useMemo(() => {
    const { campaign, tag } = seen.current;
    for (const sale of sales ?? []) {
      if (sale.campaign) campaign.add(sale.campaign);
      for (const each of sale.tags) tag.add(each);
    }
    const some = (labels: Set<string>) => [...labels].sort().slice(0, mostKnown);
    return { campaign: some(campaign), tag: some(tag) };
  }, [sales]);
}

function Sales({ sales, wanted }: { sales: Sale[]; wanted: string }) {
  const now = useNow();
  const found = sales.filter((sale) => matches(sale, wanted));
  const shelf = arrange(found, now);
  if (found.length === 0) return <Empty icon="box" title={words("sales_none_such")} />;
  return (
    <>
      {shelves.map((name) => (
        <Shelf key={name} name={name} sales={shelf[name]} />
      ))}
    </>
  );
}

function matches(sale: Sale, wanted: string): boolean {
  const sought = wanted.trim().toLowerCase();
  const said = [saleName(sale), sale.campaign, ...sale.tags].join("\n");
  return said.toLowerCase().includes(sought) || sale.id === sought;
}

function Shelf({ name, sales }: { name: (typeof shelves)[number]; sales: Sale[] }) {
  const operates = useOperates();
  if (sales.length === 0) return null;
  const label = words(`shelf_${name}`);
  return (
    <section class="console-section">
      <h2>{label}</h2>
      <Table
        label={label}
        heads={[
          headOfTimes("head_sale"),
          words("head_state"),
          `>${words("head_price")}`,
          words("head_stock"),
          headOfTimes("head_until"),
          ...(operates ? [words("head_actions")] : []),
        ]}
      >
        {sales.map((sale) => (
          <Row key={sale.id} sale={sale} operates={operates} />
        ))}
      </Table>
    </section>
  );
}

const headOfTimes = (key: "head_sale" | "head_until") => `${words(key)} (${zoneName()})`;

function LabelsOf({ sale: { campaign, tags } }: { sale: Sale }) {
  const labels = [
    ...(campaign ? [["campaign", campaign]] : []),
    ...tags.map((tag) => ["tag", tag]),
  ];
  if (labels.length === 0) return null;
  return (
    <span class="labels small">
      {labels.map((label) => (
        <a
          key={label.join()}
          class="badge"
          title={words("only_this_label")}
          href={`/console/?${new URLSearchParams([label])}`}
        >
          {label[1]}
        </a>
      ))}
    </span>
  );
}

function Row({ sale, operates }: { sale: Sale; operates: boolean }) {
  const state = useSaleState(sale);
  return (
    <tr>
      <td class="main-cell">
        <a href={`/console/sale?id=${sale.id}`}>{saleTitle(sale)}</a>
        <span class="small faint" title={sale.id}>
          {rowTime(sale.starts_at)}
        </span>
        <LabelsOf sale={sale} />
      </td>
      <td>
        <StateBadge state={state} />
      </td>
      <td class="right figures">{money(sale.price_cents, sale.currency)}</td>
      <td class="stock-cell">
        <StockBar stock={sale.stock} />
      </td>
      <td class="small faint">
        {state === "scheduled" ? (
          <Countdown to={Date.parse(sale.starts_at)} />
        ) : sale.ends_at ? (
          rowTime(sale.ends_at)
        ) : (
          words("no_end")
        )}
      </td>
      {operates && (
        <td>
          <div class="row tight">
            <a href={`/console/plan?id=${sale.id}`}>
              {words("edit")}
              <span class="visually-hidden">: {saleName(sale)}</span>
            </a>
            <a href={`/console/plan?clone=${sale.id}`}>
              {words("clone")}
              <span class="visually-hidden">: {saleName(sale)}</span>
            </a>
          </div>
        </td>
      )}
    </tr>
  );
}

mount(Home);
