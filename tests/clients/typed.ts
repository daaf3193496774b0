// A client whose types come from openapi-typescript, and whose requests openapi-fetch makes.

import createClient from "openapi-fetch";
import { run, type Caller, type Credentials } from "./errand.js";
import type { paths } from "./generated/typed.js";

/** The data of an answer; a problem is an exception. */
async function ok<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function logIn(url: string, who: Credentials): Promise<Caller> {
  const visitor = createClient<paths>({ baseUrl: url });
  const { token } = await ok(visitor.POST("/api/v1/sessions", { body: who }));
  const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
  const by = <T>(path: T) => ({ params: { path } });
  return {
    showSession: () => ok(api.GET("/api/v1/sessions/current", {})),
    createPass: (id) => ok(api.POST("/api/v1/sales/{id}/passes", by({ id }))),
    buy: (id, pass) => {
      const body = { quantity: 1 };
      return ok(api.POST("/api/v1/sales/{id}/orders/{pass}", { ...by({ id, pass }), body }));
    },
    showOrder: (id) => ok(api.GET("/api/v1/orders/{id}", by({ id }))),
    editSale: (id, body) => ok(api.PUT("/api/v1/admin/sales/{id}", { ...by({ id }), body })),
    editItem: (id, body) => ok(api.PUT("/api/v1/admin/items/{id}", { ...by({ id }), body })),
  };
}

await run(logIn);
