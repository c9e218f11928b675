// Writes openapi.json from the table of routes.
import { writeFileSync } from "node:fs";
import { openApiDocument } from "#contract/openapi.ts";
import packageJson from "../package.json" with { type: "json" };

writeFileSync(
  new URL("../openapi.json", import.meta.url),
  `${JSON.stringify(openApiDocument(packageJson.version), null, 2)}\n`,
);
