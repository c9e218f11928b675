import { availableParallelism } from "node:os";
import { defineConfig, type TestUserConfig } from "vitest/config";
import { COMPILE_CACHE } from "./test/support/compile-cache.ts";
import { temporaryFolder } from "./test/support/temporary-folder.ts";
import { TestOrder } from "./test/support/test-order.ts";

const ALL = "{src,test,scripts,bench,web/src}/**/*.test.ts";

/** Their files get a process of their own: they replace modules or timers, or load what takes much memory. */
const ISOLATED = [
  "test/{move,adapters/meaning}/**/*.test.ts",
  "test/answers/slow-readers.test.ts",
  "test/adapters/local-ledger/time.test.ts",
  "test/operations/renew-in-background.test.ts",
  "test/storage/lost-files.test.ts",
];

const PACKAGE = "test/package/**/*.test.ts";

const common: TestUserConfig = {
  // No test asserts how long something takes. The limits only end a test that hangs, on a busy machine too.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: ["test/support/generated-cases.ts"],
  // Many tests wait for a browser or a database, so more at a time than there are cores are faster on a small machine.
  maxWorkers: Math.max(4, availableParallelism()),
  // Most of what a test makes is garbage when it ends. With more room for what is new, less of it is copied.
  execArgv: ["--min-semi-space-size=32"],
};

/** As the page is built: its modules import some of the service's. */
const resolve = { tsconfigPaths: true };

// The workers inherit it.
// biome-ignore lint/style/noProcessEnv: Node reads these settings from the environment alone.
Object.assign(process.env, COMPILE_CACHE, { TMPDIR: temporaryFolder() });

export default defineConfig({
  test: {
    ...common,
    teardownTimeout: 60_000,
    globalSetup: [
      "test/support/built-service.ts",
      "test/support/postgres/global-setup.ts",
      "test/browser/support/global-setup.ts",
    ],
    sequence: { sequencer: TestOrder },
    projects: [
      { test: { ...common, name: "isolated", include: ISOLATED } },
      // They share one installation of the packed package.
      {
        test: {
          ...common,
          name: "package",
          include: [PACKAGE],
          globalSetup: ["test/package/support/global-setup.ts"],
        },
      },
      // To import the service takes longer than most tests of it. Files of one worker share what they import.
      {
        resolve,
        test: {
          ...common,
          name: "shared",
          include: [ALL],
          exclude: [...ISOLATED, PACKAGE, "**/node_modules/**"],
          isolate: false,
        },
      },
    ],
  },
});
