// A replica in a process of its own: the service as main.ts composes it, except that a fence can be taken out, to see
// whether its absence is noticed. Ends when its standard input does, so that it never outlives whoever started it.

import { compose } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { listen } from "#http/server.ts";
import { createLog } from "#log.ts";
import type { PolicyRecords } from "#ports.ts";
import packageJson from "../../package.json" with { type: "json" };

export interface ReplicaOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly without?: "send" | "release" | "both";
}

const noFence: PolicyRecords["passFence"] = async (_, act) => {
  await act();
  return true;
};

const { environment, without } = JSON.parse(process.argv[2] ?? "{}") as ReplicaOptions;
const config = readConfig({ PORT: "0", LOG_LEVEL: "error", ...environment });
const whole = await compose(config);
const isOut = (fence: "send" | "release") => without === fence || without === "both";
const fences = {
  send: isOut("send") ? noFence : whole.fences.send,
  release: isOut("release") ? noFence : whole.fences.release,
};
const deps = { ...whole, fences };
const log = createLog({ level: config.logLevel });
const options = { deps, log, version: packageJson.version, loopbackOnly: true, isAccepting: () => true };
const server = await listen({ fetch: createApp(options).fetch, host: "127.0.0.1", port: 0 });
process.stdin.resume().once("end", () => process.exit());
process.stdout.write(`${server.url}\n`);
