import { describe, expect, it } from "vitest";

import { sourcesOf } from "./picture_sources";

const folder = `/pictures/${"0a".repeat(32)}/`;

describe("the sizes of a picture", () => {
  it("follow from the address of an uploaded one", () => {
    expect(sourcesOf(`${folder}1280.jpg`, "20rem")).toEqual({
      srcset: `${folder}320.jpg 320w, ${folder}640.jpg 640w, ${folder}1280.jpg 1280w`,
      sizes: "20rem",
    });
    expect(sourcesOf(`${folder}500.jpg`, "20rem").srcset).toBe(
      `${folder}320.jpg 320w, ${folder}500.jpg 500w`,
    );
    expect(sourcesOf(`${folder}320.jpg`, "20rem").srcset).toBe(`${folder}320.jpg 320w`);
  });

  it.each([
    "",
    "/assets/demo/tea-set.svg",
    "https://pictures.example/a.jpg",
    `https://pictures.example${folder}640.jpg`,
    `${folder}0.jpg`,
    `${folder}640.png`,
    "/pictures/12/640.jpg",
  ])("are unknown of %j", (url) => {
    expect(sourcesOf(url, "20rem")).toEqual({});
  });
});
