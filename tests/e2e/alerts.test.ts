// Who is told what is wrong, and the button that tries it.

import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("operator", "--demo");

const wecom = {
  name: "wecom",
  to: "https://qyapi.weixin.qq.com/…",
  waiting: 0,
  sent: 12,
  failed: 0,
  last_sent_at: "2026-11-19T08:00:00.000Z",
  last_failure: null,
};
const slack = {
  name: "slack",
  to: "https://hooks.slack.com/…",
  waiting: 2,
  sent: 3,
  failed: 1,
  last_sent_at: "2026-11-18T08:00:00.000Z",
  last_failure: { at: "2026-11-19T08:00:05.000Z", reason: "the receiver answered 503" },
};
const told = {
  channels: [wecom, slack],
  alerts: [
    {
      kind: "not_ready",
      phase: "over",
      subject: "ledger",
      headline: "Ready again: ledger",
      detail: "",
      at: "2026-11-19T08:01:00.000Z",
    },
    {
      kind: "not_ready",
      phase: "begun",
      subject: "ledger",
      headline: "Not ready: ledger",
      detail: "disk full",
      at: "2026-11-19T08:00:00.000Z",
    },
    {
      kind: "sold_out",
      phase: "event",
      subject: "247731910203654144",
      headline: "Sold out: sale 247731910203654144",
      detail: "Tea set",
      at: "2026-11-19T07:30:00.000Z",
    },
  ],
  on_duty: true,
  quiet_minutes: 30,
};

describe("the alerts", () => {
  it("go to nobody until a channel is named", async ({ visitor }) => {
    const { page } = visitor;
    await visitor.open("/console/");
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await page.waitForURL(/\/console\/alerts/);
    await page.getByText("Nobody is told", { exact: true }).waitFor();
    await page.getByText("Nothing was wrong", { exact: true }).waitFor();
    await visitor.look("console-alerts-none");
  });

  it("show each channel and what it was told", async ({ visitor }) => {
    const { page } = visitor;
    await page.route("**/api/v1/admin/alerts", (route) => route.fulfill({ json: told }));
    await visitor.open("/console/alerts");
    const failing = page.locator("tr", { hasText: "https://hooks.slack.com/…" });
    await failing.getByText("Fails", { exact: true }).waitFor();
    await failing.getByText("the receiver answered 503").waitFor();
    await failing.getByText("2 waiting").waitFor();
    await page
      .locator("tr", { hasText: "qyapi.weixin.qq.com" })
      .getByText("Works", { exact: true })
      .waitFor();
    await page.getByText("disk full").waitFor();
    const sale = page.getByRole("link", { name: "Sold out: sale 247731910203654144" });
    expect(await sale.getAttribute("href")).toBe("/console/sale?id=247731910203654144");
    await visitor.look("console-alerts");
    await page.unroute("**/api/v1/admin/alerts");
  });

  it("are tried with a button for each channel", async ({ visitor }) => {
    const { page } = visitor;
    const tested: string[] = [];
    await page.route("**/api/v1/admin/alerts", (route) => route.fulfill({ json: told }));
    await page.route("**/api/v1/admin/alerts/*/test", async (route) => {
      const channel = route.request().url().split("/").at(-2)!;
      tested.push(`${route.request().method()} ${channel}`);
      const sent = channel === "wecom";
      const reason = sent ? "" : "the receiver answered 404";
      await route.fulfill({ json: { channel, sent, reason } });
    });
    await visitor.open("/console/alerts");
    await page.getByRole("button", { name: "Test WeCom" }).click();
    await page.locator(".notice.good", { hasText: "WeCom has taken the test" }).waitFor();
    await page.getByRole("button", { name: "Test Slack" }).click();
    const notice = page.locator(".notice.bad", { hasText: "Slack has not taken the test" });
    await notice.getByText("the receiver answered 404").waitFor();
    expect(tested).toEqual(["POST wecom", "POST slack"]);
    await visitor.look("console-alerts-test");
    await page.unroute("**/api/v1/admin/alerts/*/test");
    await page.unroute("**/api/v1/admin/alerts");
  });

  it("say when another node tells what all see", async ({ visitor }) => {
    const { page } = visitor;
    const json = { ...told, on_duty: false };
    await page.route("**/api/v1/admin/alerts", (route) => route.fulfill({ json }));
    await visitor.open("/console/alerts");
    await page.getByText("Another node is on duty").waitFor();
    await page.unroute("**/api/v1/admin/alerts");
  });
});
