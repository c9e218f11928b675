// One PostgreSQL for the whole test run. It starts when the first test asks for it. Tests run in other processes, so they
// ask over loopback.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
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

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres({ source: SOURCE });
  try {
    await createTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const secret = `/${randomUUID()}`;
  let server: Promise<PostgresServer> | undefined;
  const starter = createServer(async (request, response) => {
    if (request.url !== secret) return void response.writeHead(404).end();
    server ??= startWithTemplate();
    const [status, text] = await server.then(
      ({ url }) => [200, url] as const,
      (error) => [500, String(error)] as const,
    );
    response.writeHead(status).end(text);
  });
  starter.listen(0, "127.0.0.1");
  await once(starter, "listening");
  const { port } = starter.address() as AddressInfo;
  project.provide("postgresStarter", `http://127.0.0.1:${port}${secret}`);

  return async () => {
    starter.closeAllConnections();
    starter.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}
