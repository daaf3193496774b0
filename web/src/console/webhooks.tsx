import { useState } from "preact/hooks";

import { post, remove } from "../base/api";
import { dateAndTime } from "../base/format";
import { mount } from "../ui/page";
import { Field, Notice } from "../ui/parts";
import { useListed } from "./ask";
import { Deliveries } from "./deliveries";
import { ConsolePage, Heading, ListTable } from "./frame";
import { useCreation } from "./send";
import { Sure } from "./sure";
import { named, words } from "./texts";
import { type NewWebhook, type Webhook, webhookEvents } from "./types";

function Webhooks() {
  const list = useListed<Webhook>("/admin/webhooks?limit=50", "webhooks");
  const [chosen, setChosen] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const creation = useCreation();

  // The secret is told once, when the webhook is made.
  async function create(url: string, events: string[]) {
    const body = { url, events };
    const made = await creation(body, (key) => post<NewWebhook>("/admin/webhooks", { body, key }));
    setSecret(made.secret);
    list.reload();
  }

  async function forget(webhook: Webhook) {
    await remove(`/admin/webhooks/${webhook.id}`);
    setChosen(null);
    setSecret(null);
    list.reload();
  }

  return (
    <ConsolePage title={words("place_webhooks")}>
      <Heading title={words("place_webhooks")} lead={words("webhooks_lead")}>
        {list.rows && <Create create={create} />}
      </Heading>
      {secret && (
        <Notice tone="good" title={words("webhook_secret")}>
          <code class="secret">{secret}</code>
        </Notice>
      )}
      <ListTable
        list={list}
        label={words("place_webhooks")}
        none={words("webhooks_none")}
        heads={[
          words("head_url"),
          words("head_events"),
          words("head_since"),
          words("head_actions"),
        ]}
        row={(webhook) => (
          <tr key={webhook.id}>
            <td class="main-cell breakable">{webhook.url}</td>
            <td class="small">{eventsOf(webhook)}</td>
            <td class="small faint nowrap">{dateAndTime(webhook.created_at)}</td>
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
                  act={() => forget(webhook)}
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

function eventsOf({ events }: Webhook): string {
  if (events.length === webhookEvents.length) return words("all");
  return events.map((event) => named("event", event)).join(" · ");
}

function Create({ create }: { create: (url: string, events: string[]) => Promise<void> }) {
  return (
    <Sure
      look="button"
      label={words("webhook_new")}
      title={words("webhook_new")}
      more={words("webhook_new_more")}
      yes={words("save")}
      act={(given, all) => create(given("url"), all("events"))}
    >
      {(wrong) => (
        <>
          <Field name="url" label={words("head_url")} wrong={wrong("url")}>
            {(attributes) => <input {...attributes} type="url" required />}
          </Field>
          <fieldset>
            <legend>{words("head_events")}</legend>
            {webhookEvents.map((event) => (
              <label key={event}>
                <input type="checkbox" name="events" value={event} defaultChecked />
                {named("event", event)}
              </label>
            ))}
            <p class="wrong">{wrong("events")}</p>
          </fieldset>
        </>
      )}
    </Sure>
  );
}

mount(Webhooks);
