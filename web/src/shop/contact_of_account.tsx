// What a buyer has stored, and all that the shop keeps of them.

import { useState } from "preact/hooks";

import { put, remove } from "../base/api";
import type { StoredContact } from "../base/types";
import { Notice, Skeleton } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import { useLatest } from "../ui/use_latest";
import { askedNames, ContactFacts, ContactInputs, contactOf } from "./contact";
import { Form } from "./form";

const onceMilliseconds = 3_600_000;

export function AccountContact() {
  const { value, tell } = useLatest<StoredContact>("/contact", () => onceMilliseconds);
  const [done, setDone] = useState<"contact_saved" | "contact_erased" | null>(null);
  if (!value) return <Skeleton height="8rem" />;
  const { fields, contact } = value;
  const asksNothing = askedNames(fields).length === 0;
  const saved = (changed: StoredContact) => {
    tell(() => changed);
    setDone("contact_saved");
  };
  return (
    <section class="panel stack" aria-labelledby="contact-title">
      <h2 id="contact-title">{text("contact_data")}</h2>
      <p class="faint">{text(asksNothing ? "contact_not_asked" : "contact_data_more")}</p>
      <div role="status">{done && <Notice tone="good" title={text(done)} />}</div>
      {asksNothing && contact && <ContactFacts contact={contact} />}
      {!asksNothing && (
        <Form
          key={JSON.stringify(contact)}
          label={text("contact_save")}
          first="name"
          submit={async (given) =>
            saved(await put<StoredContact>("/contact", contactOf(given, fields)))
          }
        >
          {(wrong) => <ContactInputs fields={fields} known={contact} wrong={wrong} />}
        </Form>
      )}
      <div class="row">
        <a class="button quiet small" href="/api/v1/my-data" download="my-data.json">
          {text("my_data")}
        </a>
        <Erase
          erased={() => {
            tell((before) => ({ ...before, contact: null }));
            setDone("contact_erased");
          }}
        />
      </div>
    </section>
  );
}

function Erase({ erased }: { erased: () => void }) {
  const [sure, setSure] = useState(false);
  const [trouble, setTrouble] = useState("");

  async function act() {
    setTrouble("");
    try {
      await remove("/contact?orders=finished");
      setSure(false);
      erased();
    } catch {
      setTrouble(noAnswer());
    }
  }

  if (!sure)
    return (
      <button class="button quiet small" type="button" onClick={() => setSure(true)}>
        {text("contact_erase")}
      </button>
    );
  return (
    <div class="stack">
      <p>{text("contact_erase_more")}</p>
      <p role="alert">{trouble}</p>
      <div class="row">
        <button class="button quiet small" type="button" onClick={() => setSure(false)}>
          {text("contact_keep")}
        </button>
        <button class="button hot small" type="button" onClick={() => void act()}>
          {text("contact_erase_yes")}
        </button>
      </div>
    </div>
  );
}
