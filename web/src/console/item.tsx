import { useState } from "preact/hooks";

import { get, post, put } from "../base/api";
import type { FieldError, Item, ItemOfSale } from "../base/types";
import { mount } from "../ui/page";
import { Empty, Field, Notice, Skeleton } from "../ui/parts";
import { Pictures } from "../ui/pictures";
import { useAsked } from "./ask";
import { missing, wrongAmount } from "./checks";
import { majorUnits, minorUnits } from "./fields";
import { Back, ConsolePage, Heading } from "./frame";
import { PictureUpload } from "./picture_upload";
import { useCreation, useSending } from "./send";
import { Sure } from "./sure";
import { words, type WordsKey } from "./texts";

const itemId = new URLSearchParams(location.search).get("id") ?? "";
const once = 3_600_000;

type Draft = {
  title: string;
  description: string;
  image_url: string;
  list_price: string;
  currency: string;
  category: string;
  pictures: string; // an address in each line
};

const blank: Draft = {
  title: "",
  description: "",
  image_url: "",
  list_price: "",
  currency: "CNY",
  category: "",
  pictures: "",
};

function ItemPage() {
  const path = itemId ? `/items/${encodeURIComponent(itemId)}` : "";
  const { value: item, missing, away, refresh } = useAsked<Item>(path, once, get);
  const title = words(itemId ? "item_edit" : "item_new");
  return (
    <ConsolePage title={title} away={away}>
      <Back to="/console/items" label={words("place_items")} />
      <Heading title={title} lead={words("item_lead")}>
        {item && <Shelving item={item} changed={refresh} />}
      </Heading>
      {item?.archived && (
        <Notice title={words("item_archived")}>{words("item_archived_more")}</Notice>
      )}
      {missing && <Empty icon="box" title={words("item_missing")} />}
      {!missing && itemId && !item && <Skeleton height="20rem" />}
      {(item || !itemId) && <Form item={item} />}
    </ConsolePage>
  );
}

// Filled in once: later answers must not change the fields while somebody types.
function Form({ item }: { item: Item | null }) {
  const [draft, setDraft] = useState<Draft>(() => (item ? draftOf(item) : blank));
  const creation = useCreation();
  const { form, working, trouble, wrong, send, isFine } = useSending();

  async function save(event: Event) {
    event.preventDefault();
    const body = {
      title: draft.title.trim(),
      description: draft.description,
      image_url: draft.image_url.trim(),
      list_price_cents: minorUnits(draft.list_price, draft.currency),
      currency: draft.currency.trim().toUpperCase(),
      category: draft.category.trim(),
      pictures: linesOf(draft.pictures),
    };
    if (!isFine(wrongItem(draft))) return;
    await send(async () => {
      if (item) await put<Item>(`/admin/items/${item.id}`, body);
      else await creation(body, (key) => post<Item>("/admin/items", { body, key }));
      location.assign("/console/items");
    });
  }

  return (
    <div class="form-and-preview">
      <form ref={form} class="panel stack" noValidate onSubmit={(event) => void save(event)}>
        <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
        <ItemFields
          draft={draft}
          change={(name, value) => setDraft((before) => ({ ...before, [name]: value }))}
          addPicture={(url) => setDraft((before) => withPicture(before, url))}
          wrong={wrong}
        />
        <div class="row">
          <button class="button" type="submit" disabled={working}>
            {words("save")}
          </button>
          <a class="button quiet" href="/console/items">
            {words("leave_it")}
          </a>
        </div>
      </form>
      <Preview draft={draft} />
    </div>
  );
}

type FieldsProps = {
  draft: Draft;
  change: (name: keyof Draft, value: string) => void;
  wrong: (name: string) => string | undefined;
};

function ItemFields({ addPicture, ...props }: FieldsProps & { addPicture: (url: string) => void }) {
  return (
    <>
      <Typed {...props} of="title" label="field_title" />
      <TypedLines {...props} of="description" label="field_description" rows={5} />
      <PictureUpload add={addPicture} />
      <Typed
        {...props}
        of="image_url"
        label="field_image"
        hint={words("field_image_hint")}
        inputMode="url"
      />
      <TypedLines
        {...props}
        of="pictures"
        label="field_pictures"
        hint={words("field_pictures_hint")}
        rows={3}
      />
      <Typed {...props} of="category" label="field_category" hint={words("field_category_hint")} />
      <div class="columns">
        <Typed
          {...props}
          of="list_price"
          name="list_price_cents"
          label="field_list_price"
          inputMode="decimal"
        />
        <Typed {...props} of="currency" label="field_currency" maxLength={3} />
      </div>
    </>
  );
}

// `of`: the value of the draft that it shows. `name`: what the server calls it, where that differs.
type TypedProps = FieldsProps & {
  of: keyof Draft;
  name?: string;
  label: WordsKey;
  hint?: string;
};
type OneLine = { inputMode?: "url" | "decimal"; maxLength?: number };

function Typed(props: TypedProps & OneLine) {
  const { draft, change, wrong, of, name = of, label, hint, ...rest } = props;
  return (
    <Field name={name} label={words(label)} wrong={wrong(name)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <input
          {...attributes}
          {...rest}
          type="text"
          value={draft[of]}
          onInput={(event) => change(of, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function TypedLines(props: TypedProps & { rows: number }) {
  const { draft, change, wrong, of, name = of, label, hint, rows } = props;
  return (
    <Field name={name} label={words(label)} wrong={wrong(name)} {...(hint ? { hint } : {})}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={rows}
          value={draft[of]}
          onInput={(event) => change(of, event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Preview({ draft }: { draft: Draft }) {
  return (
    <aside class="preview" aria-label={words("preview")}>
      <p class="small faint">{words("preview")}</p>
      <Pictures item={itemOf(draft)} />
      <h2>{draft.title || words("field_title")}</h2>
      <p class="sale-description">{draft.description}</p>
    </aside>
  );
}

function Shelving({ item, changed }: { item: Item; changed: () => void }) {
  const deed = item.archived ? "restore" : "archive";
  return (
    <Sure
      key={deed}
      label={words(`item_${deed}`)}
      title={words(`item_${deed}_sure`)}
      of={item.title}
      more={words(`item_${deed}_more`)}
      yes={words(`item_${deed}`)}
      act={() => post(`/admin/items/${item.id}/${deed}`).then(changed)}
    />
  );
}

function wrongItem({ title, list_price, currency }: Draft): FieldError[] {
  const checks = {
    title: missing(title),
    list_price_cents: wrongAmount(list_price, currency),
    currency: /^[a-z]{3}$/i.test(currency.trim()) ? null : words("wrong_currency"),
  };
  return Object.entries(checks).flatMap(([field, message]) =>
    message === null ? [] : [{ field, message }],
  );
}

function draftOf(item: Item): Draft {
  return {
    title: item.title,
    description: item.description,
    image_url: item.image_url,
    list_price: majorUnits(item.list_price_cents, item.currency),
    currency: item.currency,
    category: item.category,
    pictures: item.pictures.join("\n"),
  };
}

// The first one is the item's picture, and others are further ones.
function withPicture(draft: Draft, url: string): Draft {
  const further = linesOf(draft.pictures);
  if (draft.image_url === url || further.includes(url)) return draft;
  if (draft.image_url.trim() === "") return { ...draft, image_url: url };
  return { ...draft, pictures: [...further, url].join("\n") };
}

const linesOf = (typed: string) =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

// As a shopper would see it.
function itemOf(draft: Draft): ItemOfSale {
  return {
    id: itemId,
    title: draft.title,
    description: draft.description,
    image_url: draft.image_url.trim(),
    list_price_cents: 0,
    currency: draft.currency,
    category: draft.category,
    pictures: linesOf(draft.pictures),
    archived: false,
  };
}

mount(ItemPage);
