import { useState } from "preact/hooks";

import { post, remove } from "../base/api";
import { dateAndTime } from "../base/format";
import { freshKey } from "../base/fresh_key";
import { mount } from "../ui/page";
import { Field, Notice } from "../ui/parts";
import { useListed } from "./ask";
import { ConsolePage, Heading, ListTable } from "./frame";
import { Sure } from "./sure";
import { words } from "./texts";
import type { Delivery, Webhook } from "./types";

function Webhooks() {
  const list = useListed<Webhook>("/admin/webhooks?limit=50", "webhooks");
  const [chosen, setChosen] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);

  // The secret is told once, when the webhook is made.
  async function create(url: string) {
    const made = await post<Webhook & { secret?: string }>("/admin/webhooks", {
      body: { url },
      key: freshKey(),
    });
    setSecret(made.secret ?? null);
    list.reload();
  }

  return (
    <ConsolePage title={words("place_webhooks")}>
      <Heading title={words("place_webhooks")} lead={words("webhooks_lead")}>
        {list.rows && (
          <Sure
            look="button"
            label={words("webhook_new")}
            title={words("webhook_new")}
            more={words("webhook_new_more")}
            yes={words("save")}
            act={(given) => create(given("url"))}
          >
            {(wrong) => (
              <Field name="url" label={words("head_url")} wrong={wrong("url")}>
                {(attributes) => <input {...attributes} type="url" required />}
              </Field>
            )}
          </Sure>
        )}
      </Heading>
      {secret && (
        <Notice tone="good" title={words("webhook_secret")}>
          <code>{secret}</code>
        </Notice>
      )}
      <ListTable
        list={list}
        label={words("place_webhooks")}
        none={words("webhooks_none")}
        heads={[words("head_url"), words("head_since"), words("head_actions")]}
        row={(webhook) => (
          <tr key={webhook.id}>
            <td class="main-cell">
              {webhook.url}
              <span class="small faint">{webhook.events?.join(", ")}</span>
            </td>
            <td class="nowrap">{webhook.created_at ? dateAndTime(webhook.created_at) : "–"}</td>
            <td>
              <div class="row tight">
                <button class="button quiet small" type="button" onClick={() => setChosen(webhook)}>
                  {words("deliveries")}
                </button>
                <Sure
                  label={words("delete")}
                  title={words("webhook_delete_sure", { url: webhook.url })}
                  yes={words("delete")}
                  hot
                  act={() => remove(`/admin/webhooks/${webhook.id}`).then(list.reload)}
                />
              </div>
            </td>
          </tr>
        )}
      />
      {chosen && <Deliveries key={chosen.id} webhook={chosen} />}
    </ConsolePage>
  );
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const list = useListed<Delivery>(`/admin/webhooks/${webhook.id}/deliveries`, "deliveries");
  return (
    <section class="console-section">
      <h2>{words("deliveries_of", { url: webhook.url })}</h2>
      <ListTable
        list={list}
        label={words("deliveries")}
        none={words("deliveries_none")}
        heads={[
          words("head_when"),
          words("head_what"),
          words("head_state"),
          `>${words("head_attempts")}`,
          words("head_actions"),
        ]}
        row={(delivery) => (
          <tr key={delivery.id}>
            <td class="nowrap">{dateAndTime(delivery.created_at)}</td>
            <td>{delivery.event}</td>
            <td>{delivery.state}</td>
            <td class="right figures">{delivery.attempts}</td>
            <td>
              <Sure
                label={words("resend")}
                title={words("resend_sure", { event: delivery.event })}
                yes={words("resend")}
                act={() =>
                  post(`/admin/webhooks/deliveries/${delivery.id}/resend`).then(list.reload)
                }
              />
            </td>
          </tr>
        )}
      />
    </section>
  );
}

mount(Webhooks);
