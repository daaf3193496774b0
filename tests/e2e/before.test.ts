// Waiting for the start of a sale.

import { readFileSync } from "node:fs";

import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("shopper");

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe("a page that waits for the start", () => {
  it("keeps its session", async ({ shop, visitor }) => {
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/sale?id=${await shop.sale({ starts_at: inAnHour() })}`);
    await page.getByText("You are logged in and ready").waitFor();
    const asked = page.waitForRequest("**/api/v1/sessions/current");
    await page.clock.fastForward("07:00");
    await asked;
  });

  it("tells well before the start that its session was ended", async ({ shop, buyer, visitor }) => {
    const { page } = visitor;
    await visitor.open(`/sale?id=${await shop.sale({ starts_at: inAnHour() })}`);
    await page.getByText("You are logged in and ready").waitFor();
    await shop.endSessions(buyer);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Please log in again").waitFor();
    // Whoever hears of it first tells it: the page that waits, or a question of the purchase.
    await page
      .locator(".next-step")
      .getByRole("link", { name: /^Log in/ })
      .waitFor();
    await visitor.look("sale-logged-out");
  });

  it("counts down in the title of its tab, and tells there that it has begun", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    await visitor.open(`/sale?id=${await shop.sale({ starts_at: inAnHour() })}`);
    await expect.poll(() => page.title()).toMatch(/^(59:\d\d|1:00:00) · Celadon tea set/);
    const soon = new Date(Date.now() + 5000).toISOString();
    await visitor.open(`/sale?id=${await shop.sale({ starts_at: soon })}`);
    await expect.poll(() => page.title(), { timeout: 15_000 }).toMatch(/^On sale · Celadon/);
  });

  it("calls who wants to be reminded, with a sound and a notification", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    await page.addInitScript(() => {
      const calls: string[] = ((window as any).calls = []);
      (window as any).Notification = class {
        static permission = "default";
        static async requestPermission() {
          return (this.permission = "granted");
        }
        constructor(title: string, { body }: { body: string }) {
          calls.push(`${title}: ${body}`);
        }
      };
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...at) {
        calls.push("tone");
        return start.apply(this, at);
      };
    });
    await visitor.open(`/sale?id=${await shop.sale({ starts_at: inMinutes(2) })}`);
    await visitor.press("Remind me");
    await page.getByRole("button", { name: "Reminder is on" }).waitFor();
    await visitor.look("sale-reminder");
    const calls = () => page.evaluate(() => (window as any).calls as string[]);
    expect(await calls()).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Reminder is on" }).waitFor();

    const begins = await shop.sale({ starts_at: new Date(Date.now() + 8000).toISOString() });
    await visitor.open(`/sale?id=${begins}`);
    await visitor.press("Remind me");
    await expect.poll(calls, { timeout: 20_000 }).toContain("tone");
    expect((await calls()).at(-1)).toBe("Celadon tea set · 青瓷茶具: It has begun");
  });

  it("gives the start as a file for calendars", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ starts_at: "2030-11-11T12:00:00Z" });
    await visitor.open(`/sale?id=${sale}`);
    const download = page.waitForEvent("download");
    await visitor.press("Add to calendar");
    const file = await download;
    expect(file.suggestedFilename()).toBe(`sale-${sale}.ics`);
    const entry = readFileSync((await file.path())!, "utf8");
    expect(entry).toContain("DTSTART:20301111T120000Z");
    expect(entry).toContain(`URL:${shop.url}/sale?id=${sale}`);
  });
});
