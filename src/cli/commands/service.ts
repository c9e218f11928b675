// Runs the service, asks whether it lives, and serves an agent over MCP.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Runs } from "#cli/invocation.ts";
import { serveFromArguments } from "#cli/serve-options.ts";
import { serviceAddress } from "#cli/shared/service-client.ts";
import { readConfig } from "#config.ts";

export const runs: Runs<"serve" | "health" | "mcp"> = {
  async serve({ values }) {
    await serveFromArguments(Object.entries(values).flatMap(([option, isSet]) => (isSet ? [`--${option}`] : [])));
  },

  async health({ values, json, serviceEnvironment }) {
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
  },

  // Ends when the host closes standard input.
  async mcp(invocation) {
    const { serveMcpOverStdio } = await import("#mcp/stdio.ts");
    const { agent: agentId, tenant } = invocation.values;
    await serveMcpOverStdio({ ...(await serviceAddress(invocation)), agentId, tenant });
  },
};

const DEADLINE_MS = 4_000;
