import { readdirSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { User } from "../base/types";
import { mayOpen, placeOf, placesOf } from "./places";

const user = (role: User["role"]): User => ({ id: "1", name: "Li Na", role });
const pages = readdirSync("console")
  .map((file) => `/console/${file.replace(/\.html$/, "")}`)
  .map((path) => (path === "/console/index" ? "/console/" : path));

describe("the console's pages", () => {
  it("are all open to operators and admins, and none to buyers and strangers", () => {
    expect(pages).toHaveLength(16);
    for (const path of pages) {
      expect(mayOpen(user("operator"), path), path).toBe(true);
      expect(mayOpen(user("admin"), path), path).toBe(true);
      expect(mayOpen(user("buyer"), path), path).toBe(false);
      expect(mayOpen(null, path), path).toBe(false);
    }
  });

  it("are open to support where it looks at sales and looks after orders", () => {
    const open = pages.filter((path) => mayOpen(user("support"), path));
    expect(open.sort()).toEqual([
      "/console/",
      "/console/calendar",
      "/console/order",
      "/console/orders",
      "/console/sale",
    ]);
    expect(mayOpen(user("support"), "/console")).toBe(true);
    expect(mayOpen(user("support"), "/console/new-page")).toBe(false);
  });

  it("stand in the navigation of whoever may use them", () => {
    expect(placesOf(user("support")).map(({ name }) => name)).toEqual(["sales", "orders"]);
    expect(placesOf(user("operator"))).toHaveLength(10);
    expect(placesOf(user("buyer"))).toEqual([]);
    expect(placeOf("/console/order")).toBe("/console/orders");
    expect(placeOf("/console/users")).toBe("/console/users");
  });
});
