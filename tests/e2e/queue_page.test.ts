// What operators see of the queue, and what they do about tickets that nobody could write.

import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("operator", "--demo");

const queue = {
  kind: "rabbitmq",
  connected: true,
  host: "broker-1.internal:5672",
  problem: "",
  full: false,
  messages: 14,
  writers: 2,
  under_way: 6841,
  oldest_seconds: 3,
  pace_per_second: 2310.4,
  wait_seconds: 3,
  prepared: 0,
  parked: 0,
  unreadable: 0,
  unconfirmed: 2,
  confirmed_total: 1240,
  returned_total: 0,
  refused_total: 0,
  unanswered_total: 1,
  redelivered_total: 0,
};
const troubled = {
  ...queue,
  connected: false,
  problem: "connect: Connection refused",
  oldest_seconds: 240,
  prepared: 512,
  parked: 1,
};
const parked = {
  ticket: "247731910203654144-0Zc1bq2",
  sale_id: "247731910203654144",
  buyer_id: "247731910203650001",
  quantity: 2,
  claimed_at: "2026-11-11T12:00:00.000Z",
  parked_at: "2026-11-11T12:00:01.000Z",
  reason: "CHECK constraint failed: quantity",
  tries: 1,
};

describe("the queue", () => {
  it("is none where each node writes for itself", async ({ visitor }) => {
    const { page } = visitor;
    await visitor.open("/console/");
    await page.getByRole("link", { name: "Queue", exact: true }).click();
    await page.waitForURL(/\/console\/queue/);
    await page.getByText("No broker", { exact: true }).waitFor();
    await page.getByText("No ticket is parked").waitFor();
    await visitor.look("console-queue-none");
  });

  it("shows depth, age, pace and what carries it", async ({ visitor }) => {
    const { page } = visitor;
    await page.route("**/api/v1/admin/queue", (route) => route.fulfill({ json: queue }));
    await visitor.open("/console/queue");
    await page.locator(".tile", { hasText: "Under way" }).getByText("6,841").waitFor();
    await page.locator(".tile", { hasText: "Oldest" }).getByText("3 s").waitFor();
    await page.locator(".tile", { hasText: "Decided a second" }).getByText("2,310.4").waitFor();
    await page.getByText("a new ticket waits about 3 s").waitFor();
    await page.getByText("Takes tickets").waitFor();
    expect(await page.locator(".warnings .notice").count()).toBe(0);
    await visitor.look("console-queue");
    await page.unroute("**/api/v1/admin/queue");
  });

  it("says what is wrong, and an operator decides about parked tickets", async ({ visitor }) => {
    const { page } = visitor;
    let left = [parked];
    const sent: string[] = [];
    await page.route("**/api/v1/admin/queue", (route) =>
      route.fulfill({ json: { ...troubled, parked: left.length } }),
    );
    await page.route("**/api/v1/admin/parked-tickets**", async (route) => {
      if (route.request().method() === "GET")
        return route.fulfill({ json: { parked_tickets: left, next_cursor: null } });
      const deed = route.request().url().split("/").pop()!;
      sent.push(deed);
      if (deed === "retry")
        return route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          json: { code: "conflict", title: "Conflict", detail: "It still cannot be written." },
        });
      left = [];
      await route.fulfill({
        json: { ticket: parked.ticket, state: "refused", reason: "conflict" },
      });
    });
    await visitor.open("/console/queue");
    await page.getByText("The broker cannot be reached").waitFor();
    await page.getByText("connect: Connection refused").waitFor();
    await page.getByText("Tickets wait for more than half a minute").waitFor();
    await page.getByText("Some tickets could not be written").waitFor();
    await page.getByText("CHECK constraint failed: quantity").waitFor();
    await visitor.look("console-queue-troubled");

    await visitor.press("Send again");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Send again" }).click();
    await dialog.getByText("It still cannot be written.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await visitor.press("Refuse");
    await dialog.getByText("2 units go back on sale").waitFor();
    await visitor.look("console-queue-refuse");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("The ticket is refused").waitFor();
    await page.getByText("No ticket is parked").waitFor();
    expect(sent).toEqual(["retry", "refuse"]);
    await page.unroute("**/api/v1/admin/parked-tickets**");
    await page.unroute("**/api/v1/admin/queue");
  });
});
