// Composes the service, serves it, and stops it in good order when told to.
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { recoverRegularly } from "./background/recover-anchors.ts";
import { renewRegularly } from "./background/renew-blobs.ts";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { readEnvironment } from "./environment.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/server.ts";
import { loadWeb } from "./http/static/app-files.ts";
import { createLog, type Log } from "./log.ts";
import type { Deps } from "./service/deps.ts";
import { checkIndex } from "./service/operations/check-index.ts";

const WEB_FOLDER = fileURLToPath(new URL("../web/dist", import.meta.url));
const GRACE_MS = 10_000;
const LEDGER_GRACE_MS = 2_000;

export async function serve(): Promise<void> {
  const config = readConfig(readEnvironment());
  const log = createLog({ level: config.logLevel });
  const onDrift = (leaves: number) =>
    log.warn({ leaves }, "the policy on the ledger differs and is another's to change");
  const deps = await compose(config, { onDrift });
  await check(deps, log);
  let accepting = true;
  const app = createApp({
    deps,
    log,
    version: packageJson.version,
    loopbackOnly: config.loopbackOnly,
    aggregator: deps.about.blobs.aggregator || undefined,
    web: await loadWeb(WEB_FOLDER),
    isAccepting: () => accepting,
  });
  const server = await listen({ fetch: app.fetch, host: config.host, port: config.port }).catch(async (error) => {
    await deps.records.close();
    throw error;
  });

  const renewing = renewRegularly(deps, log, config.renewEveryHours);
  const recovering = recoverRegularly(deps, log);

  async function stop(signal: string): Promise<void> {
    if (!accepting) return;
    accepting = false;
    renewing.stop();
    recovering.stop();
    log.info({ signal }, "stopping");
    await server.stop(GRACE_MS);
    // An anchor that is under way is on record, and the next process finishes it.
    await Promise.race([deps.ledger.close(), pause(LEDGER_GRACE_MS)]);
    await deps.records.close();
    log.info({}, "stopped");
    // Whatever still waits for somebody outside must not keep us.
    process.exit();
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));

  const { records, blobs, model } = config;
  const { network } = deps.ledger;
  log.info(
    { url: server.url, database: databaseOf(records), blobs: blobs.kind, model: model.kind, ledger: network },
    "ready",
  );
  if (process.stdout.isTTY) process.stdout.write(`\nPortcullis is ready at ${server.url}  (Ctrl+C stops it)\n\n`);
}

/** What the start rests on, in numbers. Nothing is served from records that contradict themselves. */
async function check(deps: Deps, log: Log): Promise<void> {
  try {
    const checked = await checkIndex(deps);
    const pending = (await deps.records.chainAnchors.pending()).length;
    log.info({ ...checked, pendingAnchors: pending }, "checked");
  } catch (error) {
    await deps.records.close();
    throw error;
  }
}

/** Where it is, without the password that a URL may have. */
function databaseOf(records: Config["records"]): string {
  return records.kind === "sqlite" ? records.path : `postgres://${new URL(records.url).host}`;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
