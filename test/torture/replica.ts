// A replica in a process of its own: the service as main.ts composes it, except that a fence can be taken out, to show
// that the checker notices. It ends when its standard input does, so that it never outlives whoever started it.
import { flushCompileCache } from "node:module";
import { modelOf } from "#compose/peers.ts";
import { recordsOf } from "#compose/records.ts";
import { compose, type Overrides } from "#compose.ts";
import { type Config, readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { listen } from "#http/server.ts";
import { createLog } from "#log.ts";
import packageJson from "../../package.json" with { type: "json" };
import { longModel } from "./long-model.ts";
import { type FencePoint, removeFence } from "./remove-fence.ts";
import { stretchActions } from "./stretch-actions.ts";

export interface ReplicaOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly without?: FencePoint;
  /** How much longer an action behind the fence takes at most. */
  readonly stretchMs?: number;
  /** In place of the configured model, one that says so much at once. */
  readonly answerBytes?: number;
}

const { environment, without, stretchMs, answerBytes } = JSON.parse(process.argv[2] ?? "{}") as ReplicaOptions;
const config = readConfig({ PORT: "0", LOG_LEVEL: "error", SEED: "demo", ...environment });
const tenant = await compose(config, await partsOf(config));
const log = createLog({ level: config.logLevel });
const options = {
  tenant,
  log,
  version: packageJson.version,
  loopbackOnly: true,
  isAccepting: () => true,
};
const server = await listen({ fetch: createApp(options).fetch, host: "127.0.0.1", port: 0 });
// A write beyond a limit of the file's size fails then, as on a full disk, and does not end the process.
process.on("SIGXFSZ", () => undefined);
process.stdin.resume().once("end", () => process.exit());
process.stdout.write(`${server.url}\n`);
// Node writes its cache when a process ends by itself, and this one is killed. It halves the CPU time of the next start.
flushCompileCache();

async function partsOf(config: Config): Promise<Overrides> {
  if (answerBytes !== undefined) return { model: longModel(answerBytes) };
  if (without === undefined && stretchMs === undefined) return {};
  const parts = { records: await recordsOf(config, { serves: true }), model: await modelOf(config.model) };
  const { records, model } = without === undefined ? parts : removeFence(without, parts);
  return { model, records: stretchMs === undefined ? records : stretchActions(records, stretchMs) };
}
