// A client by openapi-zod-client: it checks requests and answers against the document while it
// runs.

import { createApiClient } from "./generated/checked.js";
import { run, type Errand, type Report } from "./errand.js";

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function buyAndEdit(given: Errand): Promise<Report> {
  const api = createApiClient(given.url, { validate: true, transform: true });
  const { token } = await api.log_in(given.buyer);
  const session = await api.show_session(bearer(token));
  const sale = { id: given.sale };
  const { pass } = await api.create_pass({}, { params: sale, ...bearer(token) });
  const purchase = await api.buy({}, { params: { ...sale, pass }, ...bearer(token) });
  if (purchase.state !== "ordered") throw new Error("queued, though this server has no queue");
  const order = await api.show_order({ params: { id: purchase.order_id }, ...bearer(token) });

  const operator = bearer((await api.log_in(given.operator)).token);
  const edited = await api.edit_sale(
    { ends_at: given.ends_at },
    { params: { id: given.guarded }, ...operator },
  );
  const item = await api.edit_item(
    { title: "Renamed" },
    { params: { id: given.item }, ...operator },
  );
  return {
    role: session.user.role,
    pass,
    state: purchase.state,
    order_state: order.state,
    ends_at: edited.ends_at,
    title: item.title,
  };
}

await run(buyAndEdit);
