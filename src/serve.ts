// Composes the service, serves it, and stops it in good order when told to.
import packageJson from "../package.json" with { type: "json" };
import { compose } from "./compose.ts";
import { readConfig, readEnvironment } from "./config.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/server.ts";
import { createLog, type Log } from "./log.ts";
import { renewRegularly } from "./renewing.ts";
import type { Deps } from "./service/deps.ts";

const GRACE_MS = 10_000;
const LEDGER_GRACE_MS = 2_000;

export async function serve(): Promise<void> {
  const config = readConfig(readEnvironment());
  const log = createLog({ level: config.logLevel });
  const onDrift = (leaves: number) =>
    log.warn({ leaves }, "the policy on the ledger differs and is another's to change");
  const deps = await compose(config, { onDrift });
  let accepting = true;
  const app = createApp({
    deps,
    log,
    version: packageJson.version,
    loopbackOnly: config.loopbackOnly,
    aggregator: config.blobs.kind === "memory" ? undefined : withoutCredentials(config.blobs.aggregators[0] ?? ""),
    isAccepting: () => accepting,
  });
  const server = await listen({ fetch: app.fetch, host: config.host, port: config.port }).catch(async (error) => {
    await deps.records.close();
    throw error;
  });

  const renewing = renewRegularly(deps, log, config.renewEveryHours);

  async function stop(signal: string): Promise<void> {
    if (!accepting) return;
    accepting = false;
    renewing.stop();
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
  log.info({ url: server.url, database: records.path, blobs: blobs.kind, model: model.kind, ledger: network }, "ready");
  void recover(deps, log);
  if (process.stdout.isTTY) process.stdout.write(`\nPortcullis is ready at ${server.url}  (Ctrl+C stops it)\n\n`);
}

/** Finishes the anchors that an earlier process left unfinished. Nobody waits for this, so failing is only said. */
async function recover({ ledger, records }: Deps, log: Log): Promise<void> {
  try {
    const unfinished = (await records.pendingChainAnchors()).length + (await records.openTransactions()).length;
    if (unfinished === 0) return;
    const anchors = await ledger.recover();
    const left = (await records.pendingChainAnchors()).length;
    log.info({ finished: anchors - left, left }, "unfinished anchors of an earlier process");
  } catch (error) {
    log.warn({ error }, "unfinished anchors could not be looked at");
  }
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
