import { deflateSync } from "node:zlib";

import { describe, expect } from "vitest";

import { smallPhone } from "./browser";
import { stage, stageOn } from "./stage";

const it = stage("operator");
const onPhone = stageOn(smallPhone, "operator");

// A tea bowl of sorts: a circle on a ground that fades.
function picture(width: number, height: number, claimed = { width, height }): Buffer {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const inside = Math.hypot(x - width / 2, y - height / 2) < height / 3;
      const colour = inside ? [40, 110, 90] : [230, 200 - (60 * y) / height, 170];
      rows.set(colour, y * (1 + 3 * width) + 1 + 3 * x);
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claimed.width, 0);
  head.writeUInt32BE(claimed.height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    start,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, sum]);
}

function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

const file = (name: string, buffer: Buffer, mimeType = "image/png") => ({ name, mimeType, buffer });

describe("a picture of an item", () => {
  it("is uploaded in its form, and shoppers load the size they need", async ({
    shop,
    visitor,
    browser,
  }) => {
    const { page } = visitor;
    const { id } = await shop.item({ title: "Tea bowl", image_url: "" });
    await visitor.open(`/console/item?id=${id}`);
    await page
      .getByLabel("Choose pictures")
      .setInputFiles([
        file("bowl.png", picture(1600, 1200)),
        file("side.png", picture(700, 500)),
        file("bomb.png", picture(8, 8, { width: 30_000, height: 30_000 })),
        file("moving.gif", Buffer.from("GIF89a"), "image/gif"),
      ]);
    await page.getByText("Only JPEG and PNG pictures are taken.").waitFor();
    await page.getByText("The picture has 30000 × 30000 pixels").waitFor();
    const address = /^\/pictures\/[0-9a-f]{64}\/1280\.jpg$/;
    expect(await page.getByLabel("Picture", { exact: true }).inputValue()).toMatch(address);
    expect(await page.getByLabel("Further pictures").inputValue()).toMatch(/\/700\.jpg$/);
    const preview = page.locator(".preview .picture img");
    await preview.waitFor();
    await visitor.look("console-item-upload");
    await visitor.press("Save");
    await page.waitForURL(/\/console\/items$/);

    const sale = await shop.sale({ item_id: id });
    const phone = await browser.newContext({
      baseURL: shop.url,
      viewport: smallPhone,
      deviceScaleFactor: 1,
    });
    const shopper = await phone.newPage();
    await shopper.goto(`/sale?id=${sale}`);
    const shown = shopper.locator(".sale-picture .picture img");
    await shown.waitFor();
    const loaded = () => shown.evaluate((img: HTMLImageElement) => img.currentSrc);
    await expect.poll(loaded).toMatch(/\/640\.jpg$/);
    await expect
      .poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
    await phone.close();
  });

  onPhone("may be sent from a phone", async ({ shop, visitor }) => {
    const { page } = visitor;
    const { id } = await shop.item({ title: "Cup", image_url: "" });
    await visitor.open(`/console/item?id=${id}`);
    await page.getByLabel("Choose pictures").setInputFiles(file("cup.png", picture(300, 300)));
    await expect
      .poll(() => page.getByLabel("Picture", { exact: true }).inputValue())
      .toMatch(/\/300\.jpg$/);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(smallPhone.width);
  });
});
