// The examples of the adapters, as an integrator runs them: beside the installed package, on the oldest Node.
import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { installed } from "./support/installed.ts";
import { oldestNode } from "./support/oldest-node.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

test("The examples of both adapters run with the installed package: what a revoke closes, no model is given", async () => {
  const { withFrameworks } = installed();
  cpSync(EXAMPLES, join(withFrameworks, "examples"), { recursive: true });
  const { path } = await oldestNode();
  const { url, adminKey, keyFor } = await keyedServiceForTest({ environment: { SEED: "none" } });
  const run = async (name: string, key = adminKey) => {
    const env = { PORTCULLIS_URL: url, PORTCULLIS_KEY: key };
    const args = [join("examples", `${name}.ts`)];
    return (await promisify(execFile)(path, args, { cwd: withFrameworks, env })).stdout;
  };
  const cook = await run("ai-sdk-agent");
  expect(cook).toContain("I was given: Is allergic to peanuts. Spends 80 euros a week on food.");
  expect(cook).toContain("I was given: Is allergic to peanuts.\n");
  const gardener = await run("langgraph-agent");
  expect(gardener).toContain("I remember: the white roses were cut on 3 March.");
  expect(gardener).toContain("I do not remember anything.");
  // The cook may use the kitchen, and no longer the budget.
  const { key } = await keyFor("agent:cook");
  for (const name of ["ai-sdk-after", "client-after"]) {
    const adopted = await run(join("adopt", name), key);
    expect([name, adopted.includes("Is allergic to peanuts."), adopted.includes("80 euros")]).toEqual([
      name,
      true,
      false,
    ]);
  }
  expect(await run(join("adopt", "langgraph-after"), key)).toBe("I remember nothing.\n");
}, 300_000);
