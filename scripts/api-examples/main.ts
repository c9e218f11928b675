// npm run api-examples: writes what the service answers into the examples of docs/api.md. What an example leaves out stays
// left out.
import { readFileSync, writeFileSync } from "node:fs";
import { compose } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { listen } from "#http/server.ts";
import { createLog } from "#log.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runExamples } from "./examples.ts";

const FILE = new URL("../../docs/api.md", import.meta.url);
const { version } = packageJson;

const deps = await compose(readConfig({ DATABASE_URL: ":memory:" }));
const log = createLog({ level: "silent" });
const { fetch } = createApp({ deps, log, version, loopbackOnly: true, isAccepting: () => true });
const server = await listen({ fetch, host: "127.0.0.1", port: 0 });
const { updated } = await runExamples(readFileSync(FILE, "utf8"), server.url);
writeFileSync(FILE, updated);
await server.stop(0);
await deps.ledger.close();
await deps.records.close();
