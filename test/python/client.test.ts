// The Python client: its generated files are those of the contract, and its own tests pass over a real service.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { findPython, NO_PYTHON, runPython } from "#test/support/python.ts";
import { generate } from "../../scripts/python-client/generate.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const PACKAGE = "clients/python/src/portcullis/";
const files = generate(JSON.parse(read("openapi.json")), read(`${PACKAGE}_async_transport.py`));

test.for([...files.keys()])("%s is what it is generated from; run `npm run openapi` when it is not", (name) => {
  expect(files.get(name)).toBe(read(`${PACKAGE}${name}`));
});

test("the package has the version of the service", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(read("clients/python/pyproject.toml")).toContain(`\nversion = "${version}"\n`);
});

test("its own tests pass over a real service", async ({ skip }) => {
  const python = await findPython();
  if (python === undefined) return skip(NO_PYTHON);
  const many = "1000000";
  const { url, adminKey } = await keyedServiceForTest({
    environment: { LIMIT_ANSWERS_PER_MINUTE: many, LIMIT_READS_PER_MINUTE: many, LIMIT_WRITES_PER_MINUTE: many },
  });
  const { code, out } = await runPython({
    python,
    args: ["-m", "unittest", "discover", "-s", "tests"],
    environment: { PORTCULLIS_URL: url, PORTCULLIS_KEY: adminKey },
  });
  expect(code, out).toBe(0);
  expect(out).toMatch(/^Ran \d\d tests/m);
});
