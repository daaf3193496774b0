// A client by openapi-zod-client: it checks requests and answers against the document while it
// runs.

import { createApiClient } from "./generated/checked.js";
import { run, type Caller, type Credentials } from "./errand.js";

async function logIn(url: string, who: Credentials): Promise<Caller> {
  const api = createApiClient(url, { validate: true, transform: true });
  const { token } = await api.log_in(who);
  const bearer = { headers: { Authorization: `Bearer ${token}` } };
  return {
    showSession: () => api.show_session(bearer),
    createPass: (id) => api.create_pass({}, { params: { id }, ...bearer }),
    buy: (id, pass) => api.buy({}, { params: { id, pass }, ...bearer }),
    showOrder: (id) => api.show_order({ params: { id }, ...bearer }),
    editSale: (id, edit) => api.edit_sale(edit, { params: { id }, ...bearer }),
    editItem: (id, edit) => api.edit_item(edit, { params: { id }, ...bearer }),
  };
}

await run(logIn);
