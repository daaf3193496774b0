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
import { useCreation, useSending } from "./send";
import { Sure } from "./sure";
import { words } from "./texts";

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

  const change = (name: keyof Draft) => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    setDraft((before) => ({ ...before, [name]: value }));
  };

  return (
    <div class="form-and-preview">
      <form ref={form} class="panel stack" noValidate onSubmit={(event) => void save(event)}>
        <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
        <Field name="title" label={words("field_title")} wrong={wrong("title")}>
          {(attributes) => (
            <input {...attributes} type="text" value={draft.title} onInput={change("title")} />
          )}
        </Field>
        <Field name="description" label={words("field_description")} wrong={wrong("description")}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={5}
              value={draft.description}
              onInput={change("description")}
            />
          )}
        </Field>
        <Field
          name="image_url"
          label={words("field_image")}
          hint={words("field_image_hint")}
          wrong={wrong("image_url")}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              inputMode="url"
              value={draft.image_url}
              onInput={change("image_url")}
            />
          )}
        </Field>
        <Field
          name="pictures"
          label={words("field_pictures")}
          hint={words("field_pictures_hint")}
          wrong={wrong("pictures")}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={3}
              value={draft.pictures}
              onInput={change("pictures")}
            />
          )}
        </Field>
        <Field
          name="category"
          label={words("field_category")}
          hint={words("field_category_hint")}
          wrong={wrong("category")}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              value={draft.category}
              onInput={change("category")}
            />
          )}
        </Field>
        <div class="columns">
          <Field
            name="list_price_cents"
            label={words("field_list_price")}
            wrong={wrong("list_price_cents")}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="text"
                inputMode="decimal"
                value={draft.list_price}
                onInput={change("list_price")}
              />
            )}
          </Field>
          <Field name="currency" label={words("field_currency")} wrong={wrong("currency")}>
            {(attributes) => (
              <input
                {...attributes}
                type="text"
                maxLength={3}
                value={draft.currency}
                onInput={change("currency")}
              />
            )}
          </Field>
        </div>
        <div class="row">
          <button class="button" type="submit" disabled={working}>
            {words("save")}
          </button>
          <a class="button quiet" href="/console/items">
            {words("leave_it")}
          </a>
        </div>
      </form>
      <aside class="preview" aria-label={words("preview")}>
        <p class="small faint">{words("preview")}</p>
        <Pictures item={itemOf(draft)} />
        <h2>{draft.title || words("field_title")}</h2>
        <p class="sale-description">{draft.description}</p>
      </aside>
    </div>
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
