// Composes the service, serves it, and shuts it down on SIGTERM and SIGINT.

import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { orAfter } from "./async/with-deadline.ts";
import { abandonAllReceipts, abandonRegularly } from "./background/abandon-receipts.ts";
import { followRegularly } from "./background/follow-changes.ts";
import { forgetExpiredRegularly } from "./background/forget-expired.ts";
import { pruneRegularly } from "./background/prune-events.ts";
import { pruneRecordsRegularly } from "./background/prune-records.ts";
import { recoverRegularly } from "./background/recover-anchors.ts";
import { renewRegularly } from "./background/renew-blobs.ts";
import { saveRegularly } from "./background/save-snapshots.ts";
import { sealRegularly } from "./background/seal-namespaces.ts";
import { sweepRegularly } from "./background/sweep-idempotency-keys.ts";
import { syncLedgerRegularly } from "./background/sync-ledger.ts";
import { parseServeOptions, serveHelp } from "./cli/serve-options.ts";
import { archiveIn } from "./compose/records.ts";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { configurationError, type PortcullisError } from "./core/errors.ts";
import { isEnvFileExposed, readEnvironment } from "./environment.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/server.ts";
import { loadWeb } from "./http/static/app-files.ts";
import { createLog, type Log } from "./log.ts";
import type { Deps } from "./service/deps.ts";
import { ensureFirstAdminKey, type IssuedKey } from "./service/identity/keys.ts";
import { checkIndex } from "./service/operations/check-index.ts";
import type { LoadedSnapshots } from "./service/recall/build-index.ts";
import type { OnProgress } from "./service/recall/index-follower.ts";
import { onStopSignals } from "./stop-signals.ts";

const WEB_FOLDER = fileURLToPath(new URL("../web/dist", import.meta.url));
const REQUESTS_GRACE_MS = 10_000;
const LEDGER_GRACE_MS = 2_000;
const PROGRESS_MS = 2_000;

export async function serve(args: readonly string[]): Promise<void> {
  const { secure, help, version } = parseServeOptions(args);
  if (help) return void process.stdout.write(serveHelp());
  if (version) return void process.stdout.write(`portcullis ${packageJson.version}\n`);
  const config = readConfig({ ...readEnvironment(), ...(secure && { AUTH: "keys" }) });
  const log = createLog({ level: config.logLevel });
  if (isEnvFileExposed()) log.warn({}, "the file .env holds secrets, and others can read it; run: chmod 600 .env");
  const onDrift = (leaves: number) =>
    log.warn({ leaves }, "the policy on the ledger differs, and this service may not change it");
  const onMove = (past: number) =>
    log.warn({ past }, "the ledger knows later versions of the policy than the database; the policy moved past them");
  const onLoaded = (loaded: LoadedSnapshots) => log.info(loaded, "loaded snapshots of the index");
  const onSnapshotFailure = (error: unknown) =>
    log.warn({ error }, "a snapshot of the index could not be read or written; the index is built from the records");
  const onStorageLost = (error: PortcullisError) => log.error({ error }, "the database file is gone");
  const onDatabaseWarning = (message: string) => log.warn({}, message);
  const callbacks = {
    onDrift,
    onMove,
    onIndexing: progressLog(log),
    onLoaded,
    onSnapshotFailure,
    onDatabaseWarning,
    onStorageLost,
  };
  const deps = await compose(config, callbacks);
  let accepting = true;

  async function start() {
    await check(deps, log);
    const web = await loadWeb(WEB_FOLDER);
    if (web === undefined) log.warn({}, "the page is not built, so there is only the API; npm run build builds it");
    if (config.records.kind === "sqlite") await abandonAllReceipts(deps, log);
    const { fetch } = createApp({
      deps,
      log,
      version: packageJson.version,
      loopbackOnly: config.loopbackOnly,
      sharedWith: config.sharedWith,
      transport: config.transport,
      aggregator: deps.about.blobs.aggregator || undefined,
      web,
      isAccepting: () => accepting,
    });
    const onRefused = (requests: number) => log.warn({ requests }, "overloaded; refused requests");
    const { host, port, transport, sharedWith } = config;
    const edge = { transport, sharedWith, onRefused, metrics: deps.metrics };
    return listen({ fetch, host, port, tls: await readTls(config), ...edge });
  }
  const server = await start().catch(async (error) => {
    await deps.sentences?.close();
    await deps.records.close();
    throw error;
  });

  const renewing = renewRegularly(deps, log, config.renewEveryHours);
  const recovering = recoverRegularly(deps, log);
  const syncing = syncLedgerRegularly(deps);
  const following = followRegularly(deps);
  const saving = saveRegularly(deps);
  const pruning = pruneRegularly(deps, log);
  const sweeping = sweepRegularly(deps, log);
  const expiring = forgetExpiredRegularly(deps, log);
  const { days, exportFolder } = config.retention;
  const openArchive = exportFolder === undefined ? undefined : (now: Date) => archiveIn(exportFolder, now);
  const retaining = pruneRecordsRegularly(deps, log, { days, openArchive });
  const abandoning = abandonRegularly(deps, log);
  const sealing = sealRegularly(deps, log);

  async function stop(signal: NodeJS.Signals): Promise<void> {
    accepting = false;
    server.drain();
    // Whoever presses Ctrl+C waits for the end. Who sends SIGTERM may have a balancer that must notice first.
    const drainMs = signal === "SIGTERM" ? config.drainMs : 0;
    log.info({ signal, drainMs }, "stopping");
    await delay(drainMs);
    renewing.stop();
    recovering.stop();
    syncing.stop();
    following.stop();
    pruning.stop();
    deps.events.close();
    sweeping.stop();
    expiring.stop();
    retaining.stop();
    abandoning.stop();
    sealing.stop();
    await server.stop(REQUESTS_GRACE_MS);
    // The next process finishes an anchor that is under way: it is on record.
    await orAfter(LEDGER_GRACE_MS, deps.ledger.close(), undefined);
    await saving.stop();
    await deps.sentences?.close();
    await deps.records.close();
    log.info({}, "stopped");
    // Calls to other services may still be open. They must not keep the process alive.
    process.exit();
  }
  onStopSignals((signal) => void stop(signal));

  const { records, blobs, model } = config;
  const { network } = deps.ledger;
  log.info(
    { url: server.url, database: databaseOf(records), blobs: blobs.kind, model: model.kind, ledger: network },
    "ready",
  );
  if (config.identity?.keys) printFirstKey(await ensureFirstAdminKey(deps));
  if (process.stdout.isTTY) process.stdout.write(`\nPortcullis is ready at ${server.url}  (Ctrl+C stops it)\n\n`);
}

/** The only time that the key can be read. It goes to the terminal and not through the log. */
function printFirstKey(issued: IssuedKey | undefined): void {
  if (issued === undefined) return;
  process.stdout.write(`\nThe first admin's key. It is shown this once, so keep it:\n\n    ${issued.key}\n\n`);
}

/** Certificate and key, as PEM texts. */
async function readTls({ tls }: Pick<Config, "tls">): Promise<{ cert: string; key: string } | undefined> {
  if (tls === undefined) return undefined;
  const read = (variable: string, path: string) =>
    readFile(path, "utf8").catch(() => {
      // Without a cause: it would quote the path, and people put the key itself there.
      throw configurationError(`${variable} must be the path of a PEM file that this user can read.`);
    });
  return { cert: await read("TLS_CERT", tls.cert), key: await read("TLS_KEY", tls.key) };
}

/** Logs how far the index is, now and then: a million memories take some time. */
function progressLog(log: Log): OnProgress {
  let last = performance.now();
  return (memories, of) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    log.info({ memories, of }, "indexing");
  };
}

/** Checks the index against the records, and logs what it counted. A service whose records contradict each other does not start. */
async function check(deps: Deps, log: Log): Promise<void> {
  const checked = await checkIndex(deps);
  const pending = (await deps.records.chainAnchors.pending()).length;
  log.info({ ...checked, pendingAnchors: pending }, "checked");
}

/** The database's place, without the password that its URL may hold. */
function databaseOf(records: Config["records"]): string {
  return records.kind === "sqlite" ? records.path : `postgres://${new URL(records.url).host}`;
}
