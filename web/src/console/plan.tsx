// A sale is planned, changed, or made after the likeness of another.

import { useEffect, useState } from "preact/hooks";

import { get, post, put } from "../base/api";
import { clock } from "../base/server_time";
import type { Item, Sale } from "../base/types";
import { mount } from "../ui/page";
import { Empty, Notice, Skeleton } from "../ui/parts";
import { useAsked, useListed } from "./ask";
import { Back, ConsolePage, Heading } from "./frame";
import { blankDraft, bodyOf, type Draft, draftOf, sketch } from "./plan_draft";
import { PlanFields } from "./plan_fields";
import { Preview } from "./preview";
import { useKey, useSending } from "./send";
import { words } from "./texts";

const asked = new URLSearchParams(location.search);
const saleId = asked.get("id") ?? "";
const sourceId = saleId || (asked.get("clone") ?? "");
const once = 3_600_000; // a form is not changed under the hands of who fills it in

function Plan() {
  const path = sourceId ? `/sales/${encodeURIComponent(sourceId)}` : "";
  const { value: source, missing, away } = useAsked<Sale>(path, once, get);
  const items = useListed<Item>("/items?limit=100", "items");
  const title = words(saleId ? "plan_edit" : sourceId ? "plan_clone" : "plan_new");
  const ready = items.rows && (source || !sourceId);
  return (
    <ConsolePage title={title} away={away || items.trouble === "away"}>
      <Back to="/console/" label={words("place_sales")} />
      <Heading title={title} lead={words("plan_lead", { zone: zone() })} />
      {missing && <Empty icon="box" title={words("sale_missing")} />}
      {!missing && !ready && <Skeleton height="24rem" />}
      {ready && items.rows!.length === 0 && <NoItems />}
      {ready && items.rows!.length > 0 && <Form source={source} items={items.rows!} />}
    </ConsolePage>
  );
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function NoItems() {
  return (
    <Empty icon="box" title={words("items_none")}>
      <a class="button" href="/console/item">
        {words("item_new")}
      </a>
    </Empty>
  );
}

function Form({ source, items }: { source: Sale | null; items: Item[] }) {
  const wished = asked.get("item") ?? items[0]!.id;
  const [draft, setDraft] = useState<Draft>(() => blankDraft(wished));
  const { form, working, trouble, wrong, send } = useSending();
  const keyFor = useKey();
  useEffect(() => void (source && setDraft(draftOf(source, saleId !== ""))), [source]);
  const known = items.find((item) => item.id === draft.item_id);
  const item = saleId ? source!.item : (known ?? source?.item ?? items[0]!);

  async function save(event: Event) {
    event.preventDefault();
    const body = bodyOf(draft, item.currency, saleId ? source : null);
    await send(async () => {
      const saved = saleId
        ? await put<Sale>(`/admin/sales/${saleId}`, body)
        : await post<Sale>("/admin/sales", { body, key: keyFor(body) });
      location.assign(`/console/sale?id=${saved.id}`);
    });
  }

  return (
    <div class="form-and-preview">
      <form ref={form} class="panel stack" noValidate onSubmit={(event) => void save(event)}>
        <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
        {source && saleId && source.state !== "scheduled" && (
          <Notice title={words("plan_begun")}>{words("plan_begun_more")}</Notice>
        )}
        <PlanFields
          draft={draft}
          change={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
          items={items}
          fixed={saleId ? source!.item : null}
          wrong={wrong}
        />
        <div class="row">
          <button class="button" type="submit" disabled={working}>
            {words(saleId ? "save" : "plan_create")}
          </button>
          <a class="button quiet" href={saleId ? `/console/sale?id=${saleId}` : "/console/"}>
            {words("leave_it")}
          </a>
        </div>
      </form>
      <Preview sale={sketch(draft, item, clock.now() ?? Date.now())} />
    </div>
  );
}

mount(Plan);
