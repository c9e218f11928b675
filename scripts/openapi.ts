// Writes openapi.json from the table of routes.
import { writeFileSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };
import { openApiDocument } from "../src/contract/openapi.ts";

writeFileSync(
  new URL("../openapi.json", import.meta.url),
  `${JSON.stringify(openApiDocument(packageJson.version), null, 2)}\n`,
);
