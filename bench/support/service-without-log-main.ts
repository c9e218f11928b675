// The service without its decision log, to see what the log costs.

import { recordsOf } from "#compose/records.ts";
import { compose } from "#compose.ts";
import { readConfig } from "#config.ts";
import { readEnvironment } from "#environment.ts";
import { createApp } from "#http/app.ts";
import { listen } from "#http/server.ts";
import { createLog } from "#log.ts";
import packageJson from "../../package.json" with { type: "json" };

const config = readConfig(readEnvironment());
const records = await recordsOf(config, { serves: true });
const { receipts } = records;
const tenant = await compose(config, {
  records: { ...records, receipts: { ...receipts, add: (one) => receipts.add(one) } },
});
const log = createLog({ level: config.logLevel });
const app = createApp({ tenant, log, version: packageJson.version, loopbackOnly: true, isAccepting: () => true });
await listen({ fetch: app.fetch, host: config.host, port: config.port });
process.once("SIGTERM", () => process.exit());
