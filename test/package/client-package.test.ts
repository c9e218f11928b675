// The client as a package of its own: nothing but what it is made of, and a program that has only that can use it.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceForTest } from "#test/support/service.ts";
import { filesBelow } from "../../scripts/package/compile.ts";
import { specifiersIn } from "../../scripts/package/specifiers.ts";
import { installed } from "./support/installed.ts";

const LIMIT_BYTES = 400_000;
const PROGRAM = `
import { createClient } from "portcullis-client";
const client = createClient({ baseUrl: process.env.PORTCULLIS_URL });
const { memories } = await client.recall({ agentId: "assistant", query: "What should I avoid at dinner?" });
console.log(memories[0].namespace);
`;

test("portcullis-client depends on nothing, has its types, and recalls what the gate lets pass", async () => {
  const { clientFolder } = installed();
  const { dependencies, peerDependencies, scripts } = JSON.parse(
    readFileSync(join(clientFolder, "package.json"), "utf8"),
  );
  expect([dependencies, peerDependencies, scripts]).toEqual([undefined, undefined, undefined]);
  const files = filesBelow(clientFolder);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/package/client.d.ts"]));
  const texts = files.map((path) => readFileSync(join(clientFolder, path), "utf8"));
  expect(texts.join("").length).toBeLessThan(LIMIT_BYTES);
  const code = texts.filter((_, i) => files[i]?.startsWith("dist/"));
  expect(code.flatMap(specifiersIn).filter((specifier) => !specifier.startsWith("."))).toEqual([]);

  const program = join(clientFolder, "..", "..", "program.mjs");
  writeFileSync(program, PROGRAM);
  const { url } = await serviceForTest();
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { PORTCULLIS_URL: url } });
  expect(stdout).toBe("health\n");
});
