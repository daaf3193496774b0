import { useState } from "preact/hooks";

import { get, post, put } from "../base/api";
import type { FieldError, Item } from "../base/types";
import { mount } from "../ui/page";
import { Empty, Field, Notice, Picture, Skeleton } from "../ui/parts";
import { useAsked } from "./ask";
import { missing, wrongAmount } from "./checks";
import { majorUnits, minorUnits } from "./fields";
import { Back, ConsolePage, Heading } from "./frame";
import { useCreation, useSending } from "./send";
import { words } from "./texts";

const itemId = new URLSearchParams(location.search).get("id") ?? "";
const once = 3_600_000;

type Draft = {
  title: string;
  description: string;
  image_url: string;
  list_price: string;
  currency: string;
};

const blank: Draft = { title: "", description: "", image_url: "", list_price: "", currency: "CNY" };

function ItemPage() {
  const path = itemId ? `/items/${encodeURIComponent(itemId)}` : "";
  const { value: item, missing, away } = useAsked<Item>(path, once, get);
  const title = words(itemId ? "item_edit" : "item_new");
  return (
    <ConsolePage title={title} away={away}>
      <Back to="/console/items" label={words("place_items")} />
      <Heading title={title} lead={words("item_lead")} />
      {missing && <Empty icon="box" title={words("item_missing")} />}
      {!missing && itemId && !item && <Skeleton height="20rem" />}
      {(item || !itemId) && <Form item={item} />}
    </ConsolePage>
  );
}

// Filled in once: what is asked for again later does not change it under the hands of who types.
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
        <Picture item={{ ...itemOf(draft), id: itemId }} eager />
        <h2>{draft.title || words("field_title")}</h2>
        <p class="sale-description">{draft.description}</p>
      </aside>
    </div>
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
  };
}

function itemOf(draft: Draft) {
  const { title, description, image_url, currency } = draft;
  return { title, description, image_url: image_url.trim(), list_price_cents: 0, currency };
}

mount(ItemPage);
