// A sale is planned, changed, or copied from another.

import { useEffect, useRef, useState } from "preact/hooks";

import { Away, get, post, Problem, put } from "../base/api";
import { clock } from "../base/server_time";
import type { Item, ItemOfSale, Sale } from "../base/types";
import { mount } from "../ui/page";
import { Empty, Notice, Skeleton } from "../ui/parts";
import { useAsked, useListed } from "./ask";
import type { BuyerList } from "./buyer_list";
import { BuyerListPanel, isUsable, ListFile, sendList } from "./buyer_list_panel";
import { wrongDraft } from "./checks";
import { Back, ConsolePage, Heading } from "./frame";
import {
  blankDraft,
  bodyOf,
  type Draft,
  draftOf,
  forgetDraft,
  keepDraft,
  keptDraft,
  opensAtOnce,
  sketch,
} from "./plan_draft";
import { PlanFields } from "./plan_fields";
import { Preview } from "./preview";
import { Publish } from "./publish";
import { useCreation, useSending } from "./send";
import { words, type WordsKey } from "./texts";

const asked = new URLSearchParams(location.search);
const saleId = asked.get("id") ?? "";
const sourceId = saleId || (asked.get("clone") ?? "");
const wishedId = sourceId ? "" : (asked.get("item") ?? "");
const once = 3_600_000;
const mostItems = 1000;

function Plan() {
  const path = sourceId ? `/sales/${encodeURIComponent(sourceId)}` : "";
  const { value: source, missing, away } = useAsked<Sale>(path, once, get);
  const items = useItems();
  const title = words(saleId ? "plan_edit" : sourceId ? "plan_clone" : "plan_new");
  const ready = items.rows && (source || !sourceId);
  const gone = missing ? "sale_missing" : items.gone;
  return (
    <ConsolePage title={title} away={away || items.away}>
      <Back to="/console/" label={words("place_sales")} />
      <Heading title={title} lead={words("plan_lead", { zone: zone() })} />
      {gone && <Empty icon="box" title={words(gone)} />}
      {!gone && !ready && <Skeleton height="24rem" />}
      {ready && items.rows!.length === 0 && <NoItems />}
      {ready && items.rows!.length > 0 && <Form source={source} items={items.rows!} />}
    </ConsolePage>
  );
}

// All items that can be sold, up to a limit; the item in the address is included even beyond it.
function useItems(): {
  rows: Item[] | null;
  gone: WordsKey | null;
  away: boolean;
} {
  const list = useListed<Item>("/items?limit=100", "items");
  const { rows, more } = list;
  useEffect(() => void (rows && rows.length < mostItems && more?.()), [rows]);
  const listed = wishedId === "" || rows?.some((item) => item.id === wishedId);
  const path = rows && !listed ? `/items/${encodeURIComponent(wishedId)}` : "";
  const wished = useAsked<Item>(path, once);
  const archived = wished.value?.archived === true;
  return {
    rows: listed ? rows : !archived && wished.value ? [wished.value, ...rows!] : null,
    gone: wished.missing ? "item_missing" : archived ? "item_archived_more" : null,
    away: list.trouble === "away" || wished.away,
  };
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

type FormProps = { source: Sale | null; items: Item[] };

// Filled in once: later answers must not change the fields while somebody types.
function Form({ source: found, items }: FormProps) {
  const [source] = useState(found);
  const { draft, restored, change, startOver } = useDraft(source, items);
  const { form, working, trouble, wrong, send, isFine } = useSending();
  const creation = useCreation();
  const chosen = useChosenList(draft);
  const dialog = useRef<HTMLDialogElement>(null);
  const { choice, isLost } = choiceOf(source, items);
  const item = saleId
    ? source!.item
    : (choice.find(({ id }) => id === draft.item_id) ?? choice[0]!);
  const now = clock.now() ?? Date.now();
  const begun = saleId !== "" && source!.state !== "scheduled";

  function look(event: Event) {
    event.preventDefault();
    if (!isFine([...wrongDraft(draft, item.currency, now, begun), ...chosen.wrong])) return;
    if (saleId) void save();
    else dialog.current!.showModal();
  }

  async function save() {
    const body = bodyOf({ ...draft, item_id: item.id }, item.currency, saleId ? source : null);
    const went = await send(async () => {
      const saved = saleId
        ? await put<Sale>(`/admin/sales/${saleId}`, body)
        : await creation(body, (key) => post<Sale>("/admin/sales", { body, key }));
      forgetDraft();
      const isWhole = saleId !== "" || (await chosen.send(saved.id));
      location.assign(
        isWhole ? `/console/sale?id=${saved.id}` : `/console/plan?id=${saved.id}&list=unsent`,
      );
    });
    // What is wrong with a field is told beside it.
    if (!went && form.current!.querySelector("[aria-invalid=true]")) dialog.current?.close();
  }

  return (
    <div class="form-and-preview">
      <form ref={form} class="panel stack" noValidate onSubmit={look}>
        <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
        <Notes begun={begun} itemLost={isLost} restored={restored} startOver={startOver} />
        <PlanFields
          draft={draft}
          change={change}
          items={choice}
          fixed={saleId ? source!.item : null}
          copied={!saleId && source ? source.stock.total : null}
          wrong={wrong}
        />
        <NewList chosen={chosen} isCopy={source !== null} wrong={wrong("list")} />
        <Buttons working={working} />
      </form>
      <Preview sale={sketch(draft, item, now)} />
      {!saleId && (
        <Publish
          dialog={dialog}
          sale={sketch(draft, item, now)}
          opensNow={opensAtOnce(draft, now)}
          working={working}
          trouble={trouble}
          listed={chosen}
          publish={() => void save()}
        />
      )}
      {saleId && draft.audience !== "everyone" && <BuyerListPanel sale={saleId} />}
    </div>
  );
}

// The list that goes with a new sale. It can be sent only when the sale is there; if that fails, the
// sale is there without a list, or with a part of it, and its own page says so.
function useChosenList({ audience }: Draft) {
  const [list, choose] = useState<BuyerList | null>(null);
  const [sent, setSent] = useState<[number, number] | null>(null);
  const matters = audience !== "everyone";
  const usable = isUsable(list);
  return {
    list,
    choose,
    sent,
    matters,
    count: usable ? list.entries.length : 0,
    wrong: matters && list && !usable ? [{ field: "list", message: words("list_unusable") }] : [],
    // False when it has not arrived, or not all of it.
    send: async (sale: string): Promise<boolean> => {
      if (!matters || !isUsable(list)) return true;
      try {
        await sendList(sale, list, true, (done, all) => setSent([done, all]));
      } catch (failure) {
        if (!(failure instanceof Problem || failure instanceof Away)) throw failure;
        return false;
      }
      return true;
    },
  };
}

type NewListProps = {
  chosen: ReturnType<typeof useChosenList>;
  isCopy: boolean;
  wrong: string | undefined;
};

function NewList({ chosen, isCopy, wrong }: NewListProps) {
  if (saleId || !chosen.matters) return null;
  const hint = words(isCopy ? "list_copy_hint" : "list_file_hint");
  return <ListFile list={chosen.list} choose={chosen.choose} hint={hint} wrong={wrong} />;
}

// The items to choose from: those that can be sold, and that of the sale that is changed or copied.
// `isLost`: an archived item cannot be sold again, so the copy needs another one.
function choiceOf(source: Sale | null, items: Item[]): { choice: ItemOfSale[]; isLost: boolean } {
  const isThere = source && items.some((item) => item.id === source.item.id);
  const isOffered = saleId !== "" || !source?.item.archived;
  return {
    choice: source && !isThere && isOffered ? [source.item, ...items] : items,
    isLost: !isThere && !isOffered,
  };
}

type NotesProps = {
  begun: boolean;
  itemLost: boolean;
  restored: boolean;
  startOver: () => void;
};

function Notes({ begun, itemLost, restored, startOver }: NotesProps) {
  return (
    <>
      {asked.get("list") === "unsent" && (
        <Notice tone="bad" title={words("list_unsent")}>
          {words("list_unsent_more")}
        </Notice>
      )}
      {begun && <Notice title={words("plan_begun")}>{words("plan_begun_more")}</Notice>}
      {itemLost && (
        <Notice tone="warn" title={words("item_archived")}>
          {words("item_archived_more")}
        </Notice>
      )}
      {restored && (
        <Notice title={words("draft_kept")}>
          <button class="button quiet small" type="button" onClick={startOver}>
            {words("draft_drop")}
          </button>
        </Notice>
      )}
    </>
  );
}

function Buttons({ working }: { working: boolean }) {
  return (
    <div class="row">
      <button class="button" type="submit" disabled={working}>
        {words(saleId ? "save" : "plan_create")}
      </button>
      <a class="button quiet" href={saleId ? `/console/sale?id=${saleId}` : "/console/"}>
        {words("leave_it")}
      </a>
    </div>
  );
}

// What was typed for a new sale survives the page.
function useDraft(source: Sale | null, items: Item[]) {
  const isNew = source === null;
  const blank = () => blankDraft(wishedId || items[0]!.id);
  const [restored, setRestored] = useState(() => isNew && !wishedId && keptDraft() !== null);
  const [draft, setDraft] = useState<Draft>(() => {
    if (source) return draftOf(source, saleId === "");
    return (restored && keptDraft()) || blank();
  });
  return {
    draft,
    restored,
    change: (name: keyof Draft, value: string) => {
      const next = { ...draft, [name]: value };
      setDraft(next);
      if (isNew) keepDraft(next);
    },
    startOver: () => {
      forgetDraft();
      setRestored(false);
      setDraft(blank());
    },
  };
}

mount(Plan);
