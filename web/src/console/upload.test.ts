import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, vi } from "vitest";

import { Away, Problem } from "../base/api";
import { mostBytes, troubleOf, uploadPicture, wrongFile } from "./upload";

class FakeRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload = () => {};
  onerror = () => {};
  status = 0;
  responseText = "";
  sent: unknown[] = [];
  headers: Record<string, string> = {};
  open = (...words: unknown[]) => this.sent.push(...words);
  setRequestHeader = (name: string, value: string) => (this.headers[name] = value);
  getResponseHeader = () => "3";
  send = (body: unknown) => this.sent.push(body);
  answer(status: number, body: unknown) {
    this.status = status;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.onload();
  }
}

function upload() {
  const request = new FakeRequest();
  const progress = vi.fn();
  const file = new Blob(["x"], { type: "image/png" });
  const outcome = uploadPicture(file, progress, request as unknown as XMLHttpRequest);
  return { request, progress, file, outcome };
}

describe("a picture that is sent", () => {
  it("goes as it is, and tells how far it is", async () => {
    const { request, progress, file, outcome } = upload();
    expect(request.sent).toEqual(["POST", "/api/v1/admin/pictures", file]);
    expect(request.headers["Content-Type"]).toBe("image/png");
    request.upload.onprogress?.({ loaded: 1, total: 4 });
    expect(progress).toHaveBeenCalledWith(0.25);
    request.answer(201, { url: "/pictures/x/1.jpg" });
    expect(await outcome).toEqual({ url: "/pictures/x/1.jpg" });
  });

  it("may be refused", async () => {
    const { request, outcome } = upload();
    const errors = [{ field: "picture", message: "is a bomb" }];
    request.answer(422, { code: "invalid", detail: "Check it.", errors });
    const failure = await outcome.catch((problem: unknown) => problem);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure).toMatchObject({ status: 422, code: "invalid", retryAfterSeconds: 3 });
    expect(troubleOf(failure as Problem)).toContain("is a bomb");
  });

  it("may find nobody", async () => {
    const lost = upload();
    lost.request.onerror();
    await expect(lost.outcome).rejects.toBeInstanceOf(Away);
    const strange = upload();
    strange.request.answer(502, "<html>");
    await expect(strange.outcome).rejects.toBeInstanceOf(Away);
  });
});

describe("a file", () => {
  it("is looked at before it is sent", () => {
    expect(wrongFile({ type: "image/jpeg", size: mostBytes })).toBeNull();
    expect(wrongFile({ type: "image/png", size: 1 })).toBeNull();
    expect(wrongFile({ type: "image/webp", size: 1 })).toMatch(/JPEG/);
    expect(wrongFile({ type: "image/png", size: mostBytes + 1 })).toMatch(/8 MB/);
  });

  it("has the bound of the server", () => {
    const source = readFileSync(join(__dirname, "../../../src/domain/picture.hpp"), "utf8");
    expect(source).toContain("kMostUploadBytes = 8u << 20;");
    expect(mostBytes).toBe(8 << 20);
  });
});
