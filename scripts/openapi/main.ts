// npm run openapi: records the examples from a session with a real service, and writes openapi.json from the table of
// routes, and the Python client from it. `--no-examples` keeps the examples that are there.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import type { Contract } from "../python-client/contract.ts";
import { generate } from "../python-client/generate.ts";
import { recordSession } from "./recorded-session.ts";

const EXAMPLES = new URL("examples.json", import.meta.url);
const DOCUMENT = new URL("../../openapi.json", import.meta.url);
const PYTHON = new URL("../../clients/python/src/portcullis/", import.meta.url);

const write = (file: URL, value: unknown) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

if (!process.argv.includes("--no-examples")) {
  write(EXAMPLES, await recordSession());
  // The document is made from the file, which this process has loaded already.
  execFileSync(process.execPath, [import.meta.filename, "--no-examples"], { stdio: "inherit" });
} else {
  const { openApiDocument } = await import("./document.ts");
  const document = openApiDocument(packageJson.version);
  write(DOCUMENT, document);
  const transport = readFileSync(new URL("_async_transport.py", PYTHON), "utf8");
  const files = generate(document as unknown as Contract, transport);
  for (const [name, text] of files) writeFileSync(new URL(name, PYTHON), text);
}
