import { describe, expect, it } from "vitest";

import openapi from "../../../src/api/openapi.json";
import { fill } from "../base/i18n";

const files = import.meta.glob<Record<string, string>>("./*.json", {
  eager: true,
  import: "default",
});
const parts = [...new Set(Object.keys(files).map((name) => name.replace(/\.\w+\.json$/, "")))];

describe.each(parts)("the messages of %s", (part) => {
  const en = files[`${part}.en.json`]!;
  const zh = files[`${part}.zh.json`]!;

  it("are complete in both languages", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
    for (const [key, message] of [...Object.entries(en), ...Object.entries(zh)])
      expect(message.trim(), key).not.toBe("");
  });

  it("name the same values in both languages", () => {
    const names = (message: string) => [...new Set(message.match(/\{\w+\}/g))].sort();
    for (const key of Object.keys(en)) expect(names(zh[key]!), key).toEqual(names(en[key]!));
  });

  it("are all used", () => {
    const sources = import.meta.glob<string>("../**/*.{ts,tsx}", {
      eager: true,
      query: "?raw",
      import: "default",
    });
    const code = Object.values(sources).join("\n");
    // Keys that are put together end in a state's or a code's name.
    const made = [
      ...[...code.matchAll(/`(\w+_)\$\{/g)].map((found) => found[1]!),
      ...[...code.matchAll(/named\("(\w+)"/g)].map((found) => `${found[1]}_`),
    ];
    const unused = Object.keys(en).filter(
      (key) => !code.includes(`"${key}"`) && !made.some((start) => key.startsWith(start)),
    );
    expect(unused).toEqual([]);
  });
});

describe("the console", () => {
  it("has words for every code that the API may refuse with", () => {
    const { Problem } = openapi.components.schemas;
    const words = files["./console.en.json"]!;
    const unsaid = Problem.properties.code.enum.filter((code) => !(`code_${code}` in words));
    expect(unsaid).toEqual([]);
  });

  it("has words for all that an event of a provider may come to", () => {
    const { EventOfOrder } = openapi.components.schemas;
    const words = files["./console.en.json"]!;
    const { enum: outcomes } = EventOfOrder.properties.outcome;
    expect(outcomes.filter((outcome) => !(`outcome_${outcome}` in words))).toEqual([]);
  });
});

describe("filling in", () => {
  it("chooses the form by the number", () => {
    expect(fill("{n} unit | {n} units", { n: 1 }, "en")).toBe("1 unit");
    expect(fill("{n} unit | {n} units", { n: 1200 }, "en")).toBe("1,200 units");
    expect(fill("{n} 件", { n: 1 }, "zh")).toBe("1 件");
  });

  it("takes texts as they are", () => {
    expect(fill("Hello {name}", { name: "{n} <b>" }, "en")).toBe("Hello {n} <b>");
  });
});
