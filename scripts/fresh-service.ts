// A service that was just seeded, with nothing on disk, for scripts that record what it answers.
import { compose, type Overrides } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { listen } from "#http/server.ts";
import type { WebFiles } from "#http/static/app-files.ts";
import { createLog } from "#log.ts";
import type { Tenant } from "#service/tenant.ts";
import packageJson from "../package.json" with { type: "json" };

export interface FreshService {
  readonly url: string;
  readonly tenant: Tenant;
  stop(): Promise<void>;
}

interface Parts extends Pick<Overrides, "model"> {
  /** The pages of the app. */
  readonly web?: WebFiles;
}

export async function startFreshService(
  environment: Readonly<Record<string, string>> = {},
  { web, ...overrides }: Parts = {},
): Promise<FreshService> {
  const config = readConfig({ DATABASE_URL: ":memory:", PORT: "0", SEED: "demo", ...environment });
  const tenant = await compose(config, overrides);
  const log = createLog({ level: "silent" });
  const { version } = packageJson;
  const { fetch } = createApp({
    tenant,
    log,
    version,
    loopbackOnly: true,
    web,
    isAccepting: () => true,
  });
  const server = await listen({ fetch, host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    tenant,
    async stop() {
      tenant.events.close();
      await server.stop(0);
      await tenant.ledger.close();
      await tenant.records.close();
    },
  };
}
