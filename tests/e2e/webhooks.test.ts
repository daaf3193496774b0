import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, onTestFinished } from "vitest";

import { stage } from "./stage";

const it = stage(
  "operator",
  ...["allow_private=127.0.0.0/8", "first_pause_ms=20", "give_up_seconds=1"].flatMap((setting) => [
    "--set",
    `webhooks.${setting}`,
  ]),
);

type Letter = { signature: string; body: string };

// Somebody else's server, which answers as it is told.
async function receiver() {
  const letters: Letter[] = [];
  const answers = { status: 200 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      letters.push({ signature: String(request.headers["sluice-signature"]), body });
      response.writeHead(answers.status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, letters, answers };
}

function isSigned({ signature, body }: Letter, secret: string): boolean {
  const { t, v1 } = Object.fromEntries(signature.split(",").map((part) => part.split("=")));
  return createHmac("sha256", secret).update(`${t}.${body}`).digest("hex") === v1;
}

describe("webhooks", () => {
  it("are registered, deliver what happens, and send again what was given up", async ({
    shop,
    visitor,
  }) => {
    const { page } = visitor;
    const { url, letters, answers } = await receiver();
    const dialog = page.getByRole("dialog");
    await visitor.open("/console/webhooks");
    await page.getByText("No webhooks yet").waitFor();
    await visitor.press("New webhook");
    await dialog.getByLabel("Address").fill("ftp://nowhere");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".wrong", { hasText: /./ }).first().waitFor();
    await visitor.look("console-webhook-new");
    await dialog.getByLabel("Address").fill(url);
    await dialog.getByLabel("Sale open again").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    const secret = await page.locator(".secret").innerText();
    await page.locator("tr", { hasText: url }).waitFor();

    const sale = await shop.sale({ stock: 2 });
    const [first, second] = shop.mint(2) as [string, string];
    await shop.buy(sale, first);
    await visitor.press("Deliveries");
    await page.locator(".badge.delivery-delivered").waitFor();
    expect(JSON.parse(letters[0]!.body)).toMatchObject({ type: "order.created" });
    expect(isSigned(letters[0]!, secret)).toBe(true);
    expect(isSigned(letters[0]!, `${secret}x`)).toBe(false);

    answers.status = 500;
    await shop.buy(sale, second);
    const dead = page.locator("tr", { has: page.locator(".delivery-dead") });
    await dead.filter({ hasText: "Order made" }).waitFor();
    await dead.filter({ hasText: "Sale sold out" }).waitFor();
    await visitor.look("console-webhooks");
    answers.status = 204;
    const heard = letters.length;
    await dead.filter({ hasText: "Order made" }).getByRole("button").click();
    await dialog.getByRole("button", { name: "Send again" }).click();
    await dead.filter({ hasText: "Order made" }).waitFor({ state: "detached" });
    expect(letters.length).toBeGreaterThan(heard);
    expect(isSigned(letters.at(-1)!, secret)).toBe(true);
    await page.getByLabel("State", { exact: true }).selectOption("dead");
    await page.locator(".delivery-delivered").first().waitFor({ state: "detached" });

    await visitor.press("Delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No webhooks yet").waitFor();
    await visitor.look("console-webhooks-none");
    expect(await page.locator(".secret").count(), "it was the secret of what is gone").toBe(0);

    // The same again is another one, with a secret of its own.
    await visitor.press("New webhook");
    await dialog.getByLabel("Address").fill(url);
    await dialog.getByLabel("Sale open again").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator("tr", { hasText: url }).waitFor();
    expect(await page.locator(".secret").innerText()).not.toBe(secret);
    await visitor.open("/console/trail");
    for (const deed of ["Deleted the webhook", "Sent again", "Created the webhook"])
      await page.getByText(deed).first().waitFor();
  });
});
