import { describe, expect, it } from "vitest";

import type { ContactFields } from "../base/types";
import { askedNames, contactOf, isMissing } from "./contact";

const field = (asked: "off" | "optional" | "required") => ({ asked, most_characters: 60 });
const fields: ContactFields = {
  name: field("required"),
  phone: field("off"),
  address: field("required"),
  note: field("optional"),
};
const told = { name: "李雷 🎁", phone: "", address: "1 Main St", note: "" };

describe("where an order goes", () => {
  it("asks for what the shop wants, in its order", () => {
    expect(askedNames(fields)).toEqual(["name", "address", "note"]);
  });

  it("sends nothing that is not asked for", () => {
    expect(contactOf((name) => `the ${name}`, fields)).toEqual({
      name: "the name",
      address: "the address",
      note: "the note",
    });
  });

  it("is missing until all that is required is there", () => {
    expect(isMissing(null, fields)).toBe(true);
    expect(isMissing({ ...told, address: "" }, fields)).toBe(true);
    expect(isMissing(told, fields)).toBe(false);
    expect(isMissing(null, { ...fields, name: field("optional"), address: field("off") })).toBe(
      false,
    );
  });
});
