// A queue before a server that decides at once: its word is held back.

import type { Page } from "playwright-core";

import type { Json } from "./shop";

export const tickets = /\/api\/v1\/(tickets\/[^/]+|sales\/\d+\/ticket)$/;

// Tells the ticket as it really is. `waitSeconds`: what the buyer is told to expect.
export async function queueFor(
  page: Page,
  sale: string,
  waitSeconds = 8,
): Promise<{ decided: Promise<Json> }> {
  const still = { state: "queued", sale_id: sale, wait_seconds: waitSeconds };
  await page.route(tickets, async (route) => {
    const answer = await route.fetch();
    if (!answer.ok()) return route.fulfill({ response: answer });
    await route.fulfill({ json: { ticket: (await answer.json()).ticket, ...still } });
  });
  let decide = (_: Json) => {};
  const decided = new Promise<Json>((done) => (decide = done));
  await page.route("**/orders/*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const bought = await (await route.fetch()).json();
    decide({ ...bought, sale_id: sale });
    const { state, wait_seconds } = still;
    await route.fulfill({ status: 202, json: { ticket: bought.ticket, state, wait_seconds } });
  });
  return { decided };
}
