import { describe, expect } from "vitest";

import { stage } from "./stage";

const it = stage("operator", "--demo");

const node = {
  id: "0",
  url: "http://10.0.0.1:8080",
  roles: ["edge", "writer", "keeper"],
  version: "0.1.0",
  state: "running",
  this_node: true,
  on_duty: true,
  started_at: "2026-11-17T08:00:00.000Z",
  last_seen_at: "2026-11-17T09:30:02.120Z",
  clock_difference_ms: 2,
  requests_per_second: 1834.2,
  connections: 412,
  hot_copies: { copies: 6, cold: 0, drifting: 0, drifts: 0 },
};
const cluster = {
  complete: true,
  nodes: [
    node,
    {
      ...node,
      id: "1",
      url: "http://10.0.0.2:8080",
      version: "0.0.9",
      this_node: false,
      on_duty: false,
      clock_difference_ms: -1250,
      hot_copies: { copies: 6, cold: 1, drifting: 0, drifts: 2 },
    },
    {
      ...node,
      id: "2",
      url: "http://10.0.0.3:8080",
      state: "gone",
      this_node: false,
      on_duty: false,
    },
  ],
};

describe("the nodes", () => {
  it("are the server itself where there is only one", async ({ visitor, shop }) => {
    const { page } = visitor;
    await visitor.open("/console/");
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await page.waitForURL(/\/console\/nodes/);
    const row = page.locator("tbody tr");
    await row.getByText("running", { exact: true }).waitFor();
    expect(await row.count()).toBe(1);
    await row.getByText(shop.url).waitFor();
    await row.getByText("on duty").waitFor();
    await page.locator(".checks li.good", { hasText: "Ledger ready" }).waitFor();
    await page.locator(".checks li.good", { hasText: "Stock against the ledger" }).waitFor();
    await visitor.look("console-nodes");
  });

  it("of a cluster say what is wrong with them", async ({ visitor }) => {
    const { page } = visitor;
    await page.route("**/api/v1/admin/nodes", (route) => route.fulfill({ json: cluster }));
    await visitor.open("/console/nodes");
    await page.locator("tbody tr").nth(2).getByText("gone", { exact: true }).waitFor();
    await page.getByText("Not all nodes have the same version").waitFor();
    await page.locator("td.warn-text", { hasText: "-1,250 ms" }).waitFor();
    await page.locator(".checks li.bad", { hasText: "sales without a copy: 1" }).waitFor();
    await visitor.look("console-nodes-cluster");
    await page.unroute("**/api/v1/admin/nodes");
  });

  it("are not all shown while Redis is away", async ({ visitor }) => {
    const { page } = visitor;
    const alone = { complete: false, nodes: [node] };
    await page.route("**/api/v1/admin/nodes", (route) => route.fulfill({ json: alone }));
    await visitor.open("/console/nodes");
    await page.getByText("Only this node is shown").waitFor();
    expect(await page.getByText("Not all nodes have the same version").count()).toBe(0);
    await page.unroute("**/api/v1/admin/nodes");
  });
});
