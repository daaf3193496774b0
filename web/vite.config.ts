import { readdirSync } from "node:fs";
import { join } from "node:path";

import { defineConfig } from "vitest/config";

// Each page is a file of its own, so that the server knows every address there is and an unknown
// one is a plain 404.
const root = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const pages = [".", "console"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(root, folder, name)),
);

// What every page needs is one file, so that a first visit is few requests and the next page none.
function chunkOf(id: string): string | undefined {
  if (/\/src\/ui\/qr_code/.test(id)) return undefined; // few need it
  if (/\/src\/(base|ui)\/|\/src\/messages\/shop|\/node_modules\/preact\//.test(id)) return "frame";
  if (/\/src\/messages\/console|\/src\/console\/(ask|frame|send|sure|texts)\./.test(id))
    return "console";
  return undefined;
}

const target = process.env.SLUICE_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root,
  appType: "mpa",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2020",
    outDir: process.env.SLUICE_PAGES ?? "dist",
    emptyOutDir: true,
    // A data URL would be a second copy in every page that names the file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: pages,
      // The server tells a hashed name by its last dash, so the hash must not contain one.
      output: { hashCharacters: "hex", manualChunks: chunkOf },
    },
  },
  worker: { format: "es", rollupOptions: { output: { hashCharacters: "hex" } } },
  server: {
    proxy: { "/api": { target, ws: true }, "/pictures": { target } },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
