import { beforeEach, describe, expect, it } from "vitest";

import { ServerClock } from "./clock";

describe("the server's clock", () => {
  let steady = 0;
  let wall = 0;
  let clock: ServerClock;

  function pass(milliseconds: number) {
    steady += milliseconds;
    wall += milliseconds;
  }

  beforeEach(() => {
    [steady, wall] = [1000, 50_000_000];
    clock = new ServerClock({ steady: () => steady, wall: () => wall });
  });

  it("is unknown before the server has told", () => {
    expect(clock.now()).toBeNull();
    expect(clock.doubt()).toBe(Infinity);
  });

  it("takes the middle of the trip", () => {
    clock.learn(800, 1000, 7_000_000);
    expect(clock.now()).toBe(7_000_100);
    expect(clock.doubt()).toBe(100);
  });

  it("keeps the better of two answers", () => {
    clock.learn(990, 1000, 7_000_000);
    clock.learn(500, 1000, 9_000_000);
    expect(clock.now()).toBe(7_000_005);
  });

  it("takes a worse answer once drift may have made the old one worse still", () => {
    clock.learn(990, 1000, 7_000_000);
    pass(1_000_000); // 5 ms of doubt have become 205
    clock.learn(steady - 300, steady, 8_000_200);
    expect(clock.now()).toBe(8_000_350);
  });

  it("does not care what the device's clock says", () => {
    clock.learn(990, 1000, 7_000_000);
    wall -= 3_600_000;
    expect(clock.now()).toBe(7_000_005);
  });

  it("notices that the device slept, and takes the next answer however slow", () => {
    clock.learn(990, 1000, 7_000_000);
    wall += 60_000; // the steady clock stood still
    expect(clock.overslept()).toBe(true);
    clock.learn(400, 1000, 7_060_000);
    expect(clock.now()).toBe(7_060_300);
    expect(clock.overslept()).toBe(false);
  });
});
