import { describe, expect, it } from "vitest";

import { type Figures, grownBy, nodeOf, parseMetrics, quantile, total } from "./metrics";

const figures = (page: string, at = 0): Figures => ({ at, values: parseMetrics(page) });
const requests = "sluice_http_requests_total";

const early = figures(`# HELP ${requests} Requests.
${requests}{route="buy",status="2xx"} 10
${requests}{route="buy",status="4xx"} 5
${requests}{route="show_sale",status="2xx"} 100
sluice_purchase_backlog 3
`);
const late = figures(`
${requests}{route="buy",status="2xx"} 30
${requests}{route="buy",status="4xx"} 6
${requests}{route="show_sale",status="2xx"} 150
`);

describe("the machine room's page", () => {
  it("is read by series", () => {
    expect(early.values.get("sluice_purchase_backlog")).toBe(3);
    expect(early.values.size).toBe(4);
  });

  it("names its node", () => {
    expect(nodeOf(figures('sluice_node_info{id="7"} 1'))).toBe("7");
    expect(nodeOf(early)).toBeNull();
  });

  it("tells what happened between two readings", () => {
    const grown = grownBy(late, early, requests, "route");
    expect([...grown]).toEqual([
      ["buy", 21],
      ["show_sale", 50],
    ]);
    expect(total(grown)).toBe(71);
    expect(grownBy(late, early, requests, "route", { status: "4xx" }).get("buy")).toBe(1);
  });

  it("counts anew after a restart", () => {
    const restarted = figures(`${requests}{route="buy",status="2xx"} 4`);
    expect(grownBy(restarted, late, requests, "route").get("buy")).toBe(4);
  });
});

describe("a quantile", () => {
  const bucket = (bound: string, count: number) =>
    `sluice_http_request_seconds_bucket{route="buy",le="${bound}"} ${count}`;
  const page = figures([bucket("0.001", 50), bucket("0.01", 98), bucket("+Inf", 100)].join("\n"));

  it("is the bound of its bucket", () => {
    expect(quantile(page, null, "buy", 0.5)).toBe(1);
    expect(quantile(page, null, "buy", 0.9)).toBe(10);
    expect(quantile(page, null, "buy", 0.99)).toBe(Infinity);
  });

  it("is none without requests", () => {
    expect(quantile(page, page, "buy", 0.5)).toBeNull();
    expect(quantile(page, null, "sell", 0.5)).toBeNull();
  });
});
