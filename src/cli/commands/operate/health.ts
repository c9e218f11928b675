// Asks the service on this machine whether it lives, for the health check of a container.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Run } from "#cli/invocation.ts";
import { readConfig } from "#config.ts";

const DEADLINE_MS = 4_000;

export const run: Run<"health"> = async ({ values, json, serviceEnvironment }) => {
  const { port, tls, host } = readConfig(await serviceEnvironment());
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
  if (values.json) await json({ live: true });
  return undefined;
};
