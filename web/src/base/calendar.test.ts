import { describe, expect, it } from "vitest";

import { calendarFile } from "./calendar";

const entry = {
  id: "7",
  title: "Tea, pot; and cups 青瓷茶具",
  starts: "2026-11-11T12:00:00.000Z",
  ends: "2026-11-12T12:00:00.000Z",
  url: "https://shop.example/sale?id=7",
};
const file = calendarFile(entry, Date.parse("2026-11-01T00:00:00Z"));

describe("a calendar file", () => {
  it("has the start in UTC, an alarm before it and the way to the sale", () => {
    expect(file).toContain("\r\nDTSTART:20261111T120000Z\r\n");
    expect(file).toContain("\r\nDTEND:20261112T120000Z\r\n");
    expect(file).toContain("\r\nTRIGGER:-PT5M\r\n");
    expect(file).toContain("\r\nURL:https://shop.example/sale?id=7\r\n");
  });

  it("has no end when the sale has none", () => {
    expect(calendarFile({ ...entry, ends: null }, 0)).not.toContain("DTEND");
  });

  it("escapes what has a meaning in calendars", () => {
    expect(file).toContain("SUMMARY:Tea\\, pot\\; and cups 青瓷茶具\r\n");
  });

  it("has no line of more than 75 bytes, and cuts no character", () => {
    const long = calendarFile({ ...entry, title: "青瓷茶具".repeat(40) }, 0);
    for (const line of long.split("\r\n"))
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    expect(long.replaceAll("\r\n ", "")).toContain(`SUMMARY:${"青瓷茶具".repeat(40)}\r\n`);
  });

  it("cannot be broken out of by a title", () => {
    expect(calendarFile({ ...entry, title: "a\r\nEND:VEVENT" }, 0)).not.toContain(
      "\r\nEND:VEVENT\r\nBEGIN",
    );
  });
});
