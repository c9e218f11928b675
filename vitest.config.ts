import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,test,scripts,bench,web/src}/**/*.test.ts"],
    // No test asserts how long something takes. The limits only end a test that hangs, on a busy machine too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for a browser or a database, so two at a time are faster on a small machine too.
    maxWorkers: 2,
    globalSetup: ["test/support/postgres/global-setup.ts"],
  },
});
