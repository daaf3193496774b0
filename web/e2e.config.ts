import { createRequire } from "node:module";
import { join } from "node:path";

import { defineConfig } from "vitest/config";

// The tests stand beside the others of the whole binary; what they import is installed here.
const root = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const installed = createRequire(join(root, "package.json"));

export default defineConfig({
  root,
  resolve: { alias: { "playwright-core": installed.resolve("playwright-core") } },
  server: { fs: { strict: false } },
  test: {
    // A page on a busy machine may take longer than the second that is the default.
    expect: { poll: { timeout: 15_000 } },
    dir: join(root, "../tests/e2e"),
    include: ["**/*.test.ts"],
    environment: "node",
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Two browsers at a time are as much as a small machine bears.
    maxWorkers: 2,
    minWorkers: 1,
  },
});
