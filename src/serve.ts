// Composes the service, serves it, and shuts it down on SIGTERM and SIGINT.
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { orAfter } from "./async/with-deadline.ts";
import * as jobs from "./background/jobs.ts";
import { archiveOf } from "./compose/records.ts";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { configurationError } from "./core/errors.ts";
import type { TenantRef } from "./core/identity/tenant.ts";
import { isEnvFileExposed, readEnvironment } from "./environment.ts";
import { createApp } from "./http/app.ts";
import { listen } from "./http/server.ts";
import { loadWeb } from "./http/static/app-files.ts";
import { createLog, type Log } from "./log.ts";
import { ensureFirstKey, type IssuedKey } from "./service/identity/keys.ts";
import type { OnProgress } from "./service/recall/index-follower.ts";
import { checkIndex } from "./service/recall/memory-index.ts";
import type { Tenant } from "./service/tenant.ts";

export const { version: VERSION } = packageJson;

const WEB_FOLDER = fileURLToPath(new URL("../web/dist", import.meta.url));
const REQUESTS_GRACE_MS = 10_000;
const LEDGER_GRACE_MS = 2_000;
const PROGRESS_MS = 2_000;

/** Resolves when the service is ready. `secure` asks for keys, whatever the environment says. */
export async function serve({ secure }: { readonly secure: boolean }): Promise<void> {
  const config = readConfig({ ...readEnvironment(), ...(secure && { AUTH: "keys" }) });
  const log = createLog({ level: config.logLevel });
  if (isEnvFileExposed()) log.warn({}, "the file .env holds secrets, and others can read it; run: chmod 600 .env");
  const tenant = await compose(config, {
    onDrift: (rules) => log.warn({ rules }, "the policy on the ledger differs, and this service may not change it"),
    onMove: (past) =>
      log.warn({ past }, "the ledger knows later versions of the policy than the database; the policy moved past them"),
    onIndexing: progressLog(log),
    onLoaded: (loaded) => log.info(loaded, "loaded snapshots of the index"),
    onSnapshotFailure: (error) =>
      log.warn({ error }, "a snapshot of the index could not be read or written; the index is built from the records"),
    onIndexGap: ({ namespace, leftOut, error }) =>
      leftOut === "terms"
        ? log.warn({ namespace }, "a namespace has too many different words; recall does not find memories by the rest")
        : log.warn(
            { namespace, error },
            "a memory could not be indexed; recall finds it only among the newest, if at all",
          ),
    onDatabaseWarning: (message) => log.warn({}, message),
    onStorageLost: (error) => log.error({ error }, "the database file is gone"),
  });
  let accepting = true;

  async function start() {
    await check(tenant, log);
    const web = await loadWeb(WEB_FOLDER);
    if (web === undefined) log.warn({}, "the page is not built, so there is only the API; npm run build builds it");
    if (web?.verifier !== undefined) await tenant.log.nameVerifier(web.verifier);
    if (config.records.kind === "sqlite") await jobs.abandonAllReceipts(tenant, log);
    const { fetch } = createApp({
      tenant,
      log,
      version: VERSION,
      loopbackOnly: config.loopbackOnly,
      sharedWith: config.sharedWith,
      transport: config.transport,
      aggregator: tenant.about.blobs.aggregator || undefined,
      web,
      isAccepting: () => accepting,
    });
    const onRefused = (requests: number) => log.warn({ requests }, "overloaded; refused requests");
    const { host, port, transport, sharedWith } = config;
    const edge = { transport, sharedWith, onRefused, metrics: tenant.metrics };
    return listen({ fetch, host, port, tls: await readTls(config), ...edge });
  }
  const server = await start().catch(async (error) => {
    await tenant.sentences?.close();
    await tenant.records.close();
    throw error;
  });

  const { days, exportFolder } = config.retention;
  const openArchive =
    exportFolder === undefined ? undefined : (now: Date, ref: TenantRef) => archiveOf(ref, exportFolder, now);
  const saving = jobs.saveSnapshotsRegularly(tenant);
  const running = [
    jobs.renewRegularly(tenant, log, config.renewEveryHours),
    jobs.recoverRegularly(tenant, log),
    jobs.syncLedgerRegularly(tenant),
    jobs.followRegularly(tenant),
    jobs.pruneRecordsRegularly(tenant, log, { days, openArchive }),
    jobs.encryptRegularly(tenant, log),
    jobs.sweepTenantsRegularly(tenant, log, { days, openArchive }),
    jobs.deleteTenantsRegularly(tenant, log),
    jobs.applyTemplatesRegularly(tenant, log),
    jobs.deliverWebhooksRegularly(tenant, log),
    jobs.sequenceRegularly(tenant, log, config.transparencyLog.delayMs),
    jobs.anchorLogRegularly(tenant, log, config.transparencyLog.anchorEveryMs),
  ];

  async function stop(signal: NodeJS.Signals): Promise<void> {
    accepting = false;
    server.drain();
    // Whoever presses Ctrl+C waits for the end. Who sends SIGTERM may have a balancer that must notice first.
    const drainMs = signal === "SIGTERM" ? config.drainMs : 0;
    log.info({ signal, drainMs }, "stopping");
    await delay(drainMs);
    for (const job of running) job.stop();
    for (const { events } of tenant.tenants.loaded()) events.close();
    await server.stop(REQUESTS_GRACE_MS);
    // The next process finishes an anchor that is under way: it is on record.
    await orAfter(LEDGER_GRACE_MS, tenant.ledger.close(), undefined);
    await saving.stop();
    await tenant.sentences?.close();
    await tenant.records.close();
    log.info({}, "stopped");
    // Calls to other services may still be open. They must not keep the process alive.
    process.exit();
  }
  onStopSignals((signal) => void stop(signal));

  const { records, blobs, model } = config;
  const { network } = tenant.ledger;
  log.info(
    { url: server.url, database: databaseOf(records), blobs: blobs.kind, model: model.kind, ledger: network },
    "ready",
  );
  if (config.identity?.keys) {
    printFirstKey("admin", await ensureFirstKey(tenant, "admin"));
    const operators = { keys: tenant.tenantAdministration.keys, locks: tenant.records.locks };
    printFirstKey("operator", await ensureFirstKey({ ...tenant, records: operators }, "operator"));
  }
  if (process.stdout.isTTY) process.stdout.write(`\nPortcullis is ready at ${server.url}  (Ctrl+C stops it)\n\n`);
}

/** The only time that the key can be read. It goes to the terminal and not through the log. */
function printFirstKey(role: keyof typeof POWERS, issued: IssuedKey | undefined): void {
  if (issued === undefined) return;
  const sentence = `The first ${role}'s key, which ${POWERS[role]}. It is shown this once, so keep it:`;
  process.stdout.write(`\n${sentence}\n\n    ${issued.key}\n\n`);
}

const POWERS = { operator: "makes and removes tenants", admin: "is for memories and policy" } as const;

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
async function check(tenant: Pick<Tenant, "records" | "index">, log: Log): Promise<void> {
  const checked = await checkIndex(tenant);
  const pending = (await tenant.records.chainAnchors.pending()).length;
  log.info({ ...checked, pendingAnchors: pending }, "checked");
}

/** The database's place, without the password that its URL may hold. */
function databaseOf(records: Config["records"]): string {
  return records.kind === "sqlite" ? records.path : `postgres://${new URL(records.url).host}`;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** npm passes Ctrl+C on to a process that has it from the terminal already. That is one signal, and not two. */
const SAME_SIGNAL_MS = 500;

/** By convention, 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

function onStopSignals(stop: (signal: (typeof SIGNALS)[number]) => void): void {
  let stoppingSince: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        stop(signal);
      } else if (performance.now() - stoppingSince >= SAME_SIGNAL_MS) process.exit(EXIT_CODES[signal]);
    });
  }
}
