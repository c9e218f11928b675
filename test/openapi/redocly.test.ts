import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";

const FILE = new URL("../../openapi.json", import.meta.url);

test("openapi.json has no fault by the recommended rules of Redocly, which also check its examples", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const lint = async (source: string) => {
    const faults = await lintFromString({ source, absoluteRef: FILE.pathname, config });
    return faults.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
  };
  const source = readFileSync(FILE, "utf8");
  expect(await lint(source)).toEqual([]);
  // The rules are in force.
  const withFault = source.replace('"allowed": false', '"allowed": "no"');
  expect(await lint(withFault)).toEqual([expect.stringContaining("no-invalid-media-type-examples")]);
}, 240_000);
