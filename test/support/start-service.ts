// The real service in this process: composed as main.ts does it, on a free port of loopback, with parts replaced where
// a test says so.
import { compose, type Deployment, type Overrides } from "#compose.ts";
import { readConfig } from "#config.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import type { Admission } from "#http/admission/admission.ts";
import { createApp } from "#http/app.ts";
import type { SendBuffers } from "#http/limits/send-buffers.ts";
import { listen } from "#http/server.ts";
import type { WebFiles } from "#http/static/app-files.ts";
import { createLog } from "#log.ts";
import packageJson from "../../package.json" with { type: "json" };
import { watchProblems } from "./declared-problems.ts";

export interface Service {
  readonly url: string;
  readonly client: Client;
  readonly tenant: Deployment;
  readonly app: ReturnType<typeof createApp>;
  /** The log, one JSON text a line. */
  readonly logLines: readonly string[];
  /** Turns readiness off, as SIGTERM does first. */
  stopAccepting(): void;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** A file, or `:memory:`. */
  readonly database?: string;
  readonly overrides?: Overrides;
  readonly loopbackOnly?: boolean;
  readonly web?: WebFiles | undefined;
  /** In place of the usual admission control. */
  readonly admission?: Admission;
  /** In place of the usual bound on replies that wait for their clients. */
  readonly buffers?: SendBuffers;
  /** Further variables, as an operator sets them. */
  readonly environment?: Readonly<Record<string, string>>;
}

const GRACE_MS = 2_000;

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { database = ":memory:", overrides = {}, web, admission, buffers, environment = {} } = options;
  const logLines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void logLines.push(line) } });
  const config = readConfig({ DATABASE_URL: database, PORT: "0", SEED: "demo", ...environment });
  const { transport, sharedWith } = config;
  const { loopbackOnly = config.loopbackOnly } = options;
  const tenant = await compose(config, overrides);
  let accepting = true;
  const { version } = packageJson;
  const aggregator = tenant.about.blobs.aggregator || undefined;
  const shown = { version, aggregator, web, isAccepting: () => accepting };
  const app = createApp({
    tenant,
    log,
    loopbackOnly,
    transport,
    sharedWith,
    buffers,
    ...shown,
  });
  const edge = { transport, sharedWith, admission, metrics: tenant.metrics };
  const problems = watchProblems(app.fetch);
  const server = await listen({ fetch: problems.fetch, host: "127.0.0.1", port: 0, ...edge });
  let stopped: Promise<void> | undefined;

  return {
    url: server.url,
    client: createClient({ baseUrl: server.url }),
    tenant,
    app,
    logLines,
    stopAccepting() {
      accepting = false;
      server.drain();
    },
    stop() {
      tenant.events.close();
      stopped ??= server
        .stop(GRACE_MS)
        .then(() => tenant.ledger.close())
        .then(() => tenant.records.close())
        .then(() => problems.check());
      return stopped;
    },
  };
}
