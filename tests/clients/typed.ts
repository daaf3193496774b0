// A client whose types come from openapi-typescript, and whose requests openapi-fetch makes.

import createClient from "openapi-fetch";
import { run, type Errand, type Report } from "./errand.js";
import type { components, paths } from "./generated/typed.js";

/** The data of an answer; a problem is an exception. */
async function ok<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function logIn(url: string, credentials: components["schemas"]["Credentials"]) {
  const visitor = createClient<paths>({ baseUrl: url });
  const session = await ok(visitor.POST("/api/v1/sessions", { body: credentials }));
  const token: string = session.token;
  return createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
}

async function buyAndEdit(given: Errand): Promise<Report> {
  const buyer = await logIn(given.url, given.buyer);
  const session = await ok(buyer.GET("/api/v1/sessions/current", {}));
  const sale = { path: { id: given.sale } };
  const { pass } = await ok(buyer.POST("/api/v1/sales/{id}/passes", { params: sale }));
  const purchase = await ok(
    buyer.POST("/api/v1/sales/{id}/orders/{pass}", {
      params: { path: { id: given.sale, pass } },
      body: { quantity: 1 },
    }),
  );
  if (purchase.state !== "ordered") throw new Error("queued, though this server has no queue");
  const order = await ok(
    buyer.GET("/api/v1/orders/{id}", { params: { path: { id: purchase.order_id } } }),
  );

  const operator = await logIn(given.url, given.operator);
  const edited = await ok(
    operator.PUT("/api/v1/admin/sales/{id}", {
      params: { path: { id: given.guarded } },
      body: { ends_at: given.ends_at },
    }),
  );
  const item = await ok(
    operator.PUT("/api/v1/admin/items/{id}", {
      params: { path: { id: given.item } },
      body: { title: "Renamed" },
    }),
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
