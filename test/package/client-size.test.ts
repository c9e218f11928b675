// What the client adds to an integrator's page.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";
import { packageFolder } from "./support/installed.ts";

const LIMIT_BYTES = 10 * 1_024;

test("The client bundles into one file of less than 10 KB, gzipped, and imports no other package", async () => {
  const lib = { entry: join(packageFolder(), "dist", "package", "client.js"), formats: ["es" as const] };
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: true, target: "es2022", lib, rolldownOptions: { external: [/^[^./]/] } },
  });
  const { output } = (Array.isArray(built) ? built[0] : built) as Rollup.RollupOutput;
  expect(output).toHaveLength(1);
  const [{ code, imports }] = output;
  expect(imports).toEqual([]);
  expect(code).toContain("/api/memories");
  expect(gzipSync(code).length).toBeLessThan(LIMIT_BYTES);
});
