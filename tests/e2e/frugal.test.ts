// How much an open console asks for. An operator may watch a sale on a phone's network.

import type { CDPSession } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";

import { Crowd } from "./crowd";
import { stage } from "./stage";

const it = stage("operator", "--demo");

const megabyte = 1_000_000;
const measuredSeconds = 60;
const hourSeconds = 3600;

// Bytes that came over the wire, heads included, by the path that was asked for.
class Meter {
  readonly bytes = new Map<string, number>();
  private readonly paths = new Map<string, string>();

  constructor(session: CDPSession) {
    session.on("Network.requestWillBeSent", ({ requestId, request }) =>
      this.paths.set(requestId, new URL(request.url).pathname.replace(/\d{6,}/, "ID")),
    );
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const path = this.paths.get(requestId) ?? "?";
      this.bytes.set(path, (this.bytes.get(path) ?? 0) + encodedDataLength);
    });
  }

  get sum(): number {
    return [...this.bytes.values()].reduce((all, some) => all + some, 0);
  }
}

describe("an open console", () => {
  it("costs at most 5 MB an hour, also beside a busy sale", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale({ stock: 1000 });
    const crowd = new Crowd(shop, sale, 240, 300);
    onTestFinished(() => crowd.goHome());
    const session = await visitor.context.newCDPSession(page);
    await session.send("Network.enable");
    const meter = new Meter(session);
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("All passed").waitFor();
    await page.locator(".marks, .zoom").first().waitFor();
    const opening = meter.sum;
    await page.waitForTimeout(measuredSeconds * 1000);
    const hour = opening + ((meter.sum - opening) / measuredSeconds) * hourSeconds;
    expect(hour, JSON.stringify(Object.fromEntries(meter.bytes))).toBeLessThanOrEqual(5 * megabyte);
  });

  it("asks for nothing while nobody looks at it", async ({ shop, visitor }) => {
    const { page } = visitor;
    const sale = await shop.sale();
    await visitor.open(`/console/sale?id=${sale}`);
    await page.getByText("All passed").waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.waitForTimeout(12_000);
    expect(asked).toEqual([]);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect
      .poll(() => asked.filter((url) => url.endsWith("/stats")).length)
      .toBeGreaterThan(0);
  });
});
