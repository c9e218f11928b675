// Asks the service on this machine whether it lives, for the health check of a container.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { parseArgs } from "node:util";
import { readConfig } from "#config.ts";
import { readEnvironment } from "#environment.ts";
import { runCommand } from "./terminal.ts";

const DEADLINE_MS = 4_000;

const HELP = `Asks the service on this machine whether it lives. Reads the same environment as the service.

  node src/cli/health.ts

Exits with 0 when it answers, and with 1 when it does not.`;

await runCommand("health", 1, async () => {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h", default: false } } });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const { port, tls, host } = readConfig(readEnvironment());
  const isWildcard = host === "0.0.0.0" || host === "::";
  // The certificate names the service's public name, and this connection does not leave the machine.
  const options = { host: isWildcard ? "127.0.0.1" : host, port, path: "/livez", rejectUnauthorized: false };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const request = (tls === undefined ? httpRequest : httpsRequest)({ ...options, signal }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject).end();
  });
  if (status !== 200) throw new Error(`GET /livez was answered with ${status}.`);
});
