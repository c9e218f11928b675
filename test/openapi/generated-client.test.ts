import { execFile } from "node:child_process";
import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const run = promisify(execFile);
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const MODULES = pathOf("../../node_modules");

/** As an integrator has it who knows nothing of this project. */
const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
  },
};

test("a client that openapi-typescript generates compiles, and works with a real service", async () => {
  const folder = await directoryForTest();
  await symlink(MODULES, join(folder, "node_modules"));
  await copyFile(pathOf("generated-client/smoke.ts"), join(folder, "smoke.ts"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  await run(process.execPath, [
    "--import",
    pathOf("generated-client/typescript-5-hook.mjs"),
    join(MODULES, "openapi-typescript/bin/cli.js"),
    pathOf("../../openapi.json"),
    "-o",
    join(folder, "api.ts"),
  ]);
  await run(join(MODULES, ".bin/tsc"), ["-p", folder]).catch(({ stdout }) => expect.unreachable(stdout));

  const { url } = await serviceForTest();
  const { stdout } = await run(process.execPath, ["smoke.ts", url], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    memoryId: expect.stringMatching(/^mem_/),
    answer: expect.stringContaining("mango sticky rice"),
    used: expect.arrayContaining(["diet"]),
    listed: ["Loves mango sticky rice."],
    verdict: "verified",
    imported: "Has breakfast at nine.",
    events: true,
    status: 404,
    code: "not-found",
  });
}, 240_000);
