// Where a paid order goes. It is asked for after the purchase, and nothing waits for it.

import { useState } from "preact/hooks";

import { put } from "../base/api";
import type { ContactOfOrder, Order } from "../base/types";
import { Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { useLatest } from "../ui/use_latest";
import { askedNames, ContactFacts, ContactInputs, contactOf, isMissing } from "./contact";
import { Form } from "./form";

const onceMilliseconds = 3_600_000;

export function OrderContact({ order }: { order: Order }) {
  // Another question when the state changes, which may close it.
  return <Asked key={`${order.state} ${order.delivery?.state}`} order={order} />;
}

function Asked({ order }: { order: Order }) {
  const asks = order.state === "paid" || order.state === "refunded";
  const path = asks ? `/orders/${order.id}/contact` : "";
  const { value, tell } = useLatest<ContactOfOrder>(path, () => onceMilliseconds);
  const [editing, setEditing] = useState(false);
  if (!value) return null;
  const asksNothing = askedNames(value.fields).length === 0;
  if (!value.contact && (asksNothing || !value.open)) return null;
  const isAsked = value.open && !asksNothing;
  const shows = isAsked && (editing || isMissing(value.contact, value.fields));
  return (
    <section class="panel stack order-contact" aria-labelledby="contact-title">
      <h2 id="contact-title">{text("contact_title")}</h2>
      {shows ? (
        <Editor
          order={order}
          of={value}
          saved={(changed) => {
            tell(() => changed);
            setEditing(false);
          }}
        />
      ) : (
        <>
          {value.contact ? (
            <ContactFacts contact={value.contact} />
          ) : (
            <p class="faint">{text("contact_none")}</p>
          )}
          {isAsked && (
            <div class="row not-printed">
              <button class="button quiet small" type="button" onClick={() => setEditing(true)}>
                {text(value.contact ? "contact_change" : "contact_tell")}
              </button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

type EditorProps = {
  order: Order;
  of: ContactOfOrder;
  saved: (changed: ContactOfOrder) => void;
};

function Editor({ order, of, saved }: EditorProps) {
  const { fields, contact, stored } = of;
  const [remember, setRemember] = useState(!stored);
  return (
    <>
      {isMissing(contact, fields) && (
        <Notice tone="warn" title={text("contact_missing")}>
          {text("contact_missing_more")}
        </Notice>
      )}
      <Form
        label={text("contact_save")}
        first="name"
        submit={async (given) => {
          const said = contactOf(given, fields);
          const changed = await put<ContactOfOrder>(`/orders/${order.id}/contact`, said);
          if (remember) await put("/contact", said);
          saved(changed);
        }}
      >
        {(wrong) => (
          <>
            <ContactInputs fields={fields} known={contact ?? stored} wrong={wrong} />
            <label class="tick">
              <input
                type="checkbox"
                checked={remember}
                onChange={(event) => setRemember(event.currentTarget.checked)}
              />
              {text("contact_remember")}
            </label>
          </>
        )}
      </Form>
    </>
  );
}
