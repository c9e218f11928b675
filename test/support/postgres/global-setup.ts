// One PostgreSQL for the whole test run. It starts when the first test asks for it.
import type { TestProject } from "vitest/node";
import { answerLate } from "../late-answer.ts";
import type { Source } from "./binaries.ts";
import { type PostgresServer, startPostgres } from "./server.ts";
import { createTemplate } from "./template.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A URL that answers with the URL of the PostgreSQL of this run. */
    readonly postgresStarter: string;
  }
}

// biome-ignore lint/style/noProcessEnv: only the tests can choose between several servers.
const SOURCE = process.env.TEST_POSTGRES as Source | undefined;

/**
 * Nobody kills this server, and its databases live for seconds: nothing is kept for a crash, and nothing is cleaned.
 * Autovacuum alone would connect to each of a hundred databases once a minute.
 */
const FORGETFUL = {
  autovacuum: "off",
  checkpoint_timeout: "1h",
  full_page_writes: "off",
  max_wal_senders: "0",
  max_wal_size: "1GB",
  wal_level: "minimal",
};

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres({ source: SOURCE, settings: FORGETFUL });
  try {
    await createTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const starter = await answerLate(async () => {
    server ??= startWithTemplate();
    return (await server).url;
  });
  project.provide("postgresStarter", starter.url);

  return async () => {
    starter.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}
