import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,test,scripts,web/src}/**/*.test.ts"],
    testTimeout: 30_000,
    // A busy machine may take longer than the second that is the default.
    expect: { poll: { timeout: 20_000 } },
    // Much of it waits, for a browser or for a database.
    maxWorkers: 2,
    globalSetup: ["test/support/postgres/global-setup.ts"],
  },
});
