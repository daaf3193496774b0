import { describe, expect } from "vitest";

import { smallPhone, Visitor } from "./browser";
import { stage } from "./stage";

const it = stage("operator");

describe("the calendar of sales", () => {
  it("shows weeks and months, and which sales overlap", async ({ browser, shop, visitor }) => {
    const { page } = visitor;
    const planned = async (title: string, starts_at: string, ends_at: string) =>
      shop.sale({ item_id: (await shop.item({ title })).id, starts_at, ends_at });
    await planned("Lantern · 灯笼", "2031-03-05T10:00:00Z", "2031-03-05T12:00:00Z");
    await planned("Kite · 风筝", "2031-03-05T11:00:00Z", "2031-03-06T01:00:00Z");
    const fan = await planned("Fan · 折扇", "2031-03-20T09:30:00Z", "2031-03-20T10:00:00Z");
    await visitor.open("/console/");
    await page.getByRole("link", { name: "Calendar" }).click();
    await page.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
    await visitor.open("/console/calendar?view=week&day=2031-03-05");
    const day = (name: string) =>
      page.locator(".calendar > li", { has: page.locator(`time[datetime="${name}"]`) });
    await day("2031-03-05").getByText("Lantern").waitFor();
    await day("2031-03-05").getByText("10:00 – 12:00").waitFor();
    await day("2031-03-05").getByText("from 11:00").waitFor();
    await day("2031-03-06").getByText("until 01:00").waitFor();
    expect(await day("2031-03-05").locator(".calendar-overlap").count()).toBe(2);
    expect(await day("2031-03-06").locator(".calendar-overlap").count()).toBe(0);
    await page.getByText("1 overlap", { exact: true }).click();
    await page.locator(".calendar-overlaps li", { hasText: "Lantern · 灯笼 + Kite" }).waitFor();
    await visitor.look("console-calendar-week");

    await visitor.press("Month");
    await page.getByRole("heading", { name: "March 2031" }).waitFor();
    await day("2031-03-20").getByText("Fan").waitFor();
    await visitor.look("console-calendar-month");
    await visitor.press("Next month");
    await page.getByText("No sales in this time").waitFor();
    await visitor.look("console-calendar-none");
    await page.goBack();

    const phone = await Visitor.enter(browser, shop, { size: smallPhone });
    await phone.logIn(shop.operatorPhone);
    await phone.open("/console/calendar?view=month&day=2031-03-01");
    await phone.page.locator(".calendar").getByText("Kite").first().waitFor();
    // A list of the days that have sales.
    expect(await phone.page.locator(".calendar > li:visible").count()).toBe(3);
    await phone.glance("console-calendar-phone");
    await phone.page.locator(".calendar").getByText("Fan · 折扇").click();
    await phone.page.waitForURL(`**/console/sale?id=${fan}`);
    await phone.leave();
  });
});
