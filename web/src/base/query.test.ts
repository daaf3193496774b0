import { expect, it } from "vitest";

import { queryOf } from "./query";

it("keeps spaces and pluses apart", () => {
  expect(queryOf({ name: "Li Na", phone: "+86137" })).toBe("name=Li%20Na&phone=%2B86137");
  expect(queryOf([["tag", "a b"]])).toBe("tag=a%20b");
});
