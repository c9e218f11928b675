import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { untilSuccess } from "#async/coalesce.ts";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { openClient, serviceAddress } from "#cli/shared/service-client.ts";
import { askingFrom } from "#cli/shared/verification-sources.ts";
import type { Client } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Finding } from "#core/log/audit/chain-audit.ts";
import { policyOfLog } from "#core/log/witness-policy.ts";
import { gateOnLedger, lastAnchored } from "#monitor/last-anchored.ts";
import { createLogClient } from "#monitor/log-client.ts";
import { metricsServer, type Watched } from "#monitor/metrics-server.ts";
import { createMonitor, type Pass } from "#monitor/monitor.ts";

const DEFAULT_SECONDS = 60;
const EVIDENCE = 1;

export const runs: Runs<"monitor"> = {
  async monitor(invocation) {
    const monitor = await monitorOf(invocation);
    const { values, say, signal } = invocation;
    const interval = 1_000 * (values.interval ?? DEFAULT_SECONDS);
    let watched: Watched = { isUp: false, checkedAt: 0 };
    const server = values.metrics === undefined ? undefined : metricsServer(() => watched);
    if (server !== undefined && values.metrics !== undefined) {
      server.listen(Number(values.metrics), "127.0.0.1");
      await once(server, "listening");
    }
    const findings = new Map<string, Finding>();
    try {
      do {
        try {
          const pass = await monitor.pass();
          const news = pass.findings.filter((finding) => !findings.has(JSON.stringify(finding)));
          for (const finding of news) findings.set(JSON.stringify(finding), finding);
          watched = { isUp: true, checkedAt: Date.now(), pass: { ...pass, findings: [...findings.values()] } };
          await show(invocation, { ...pass, findings: news });
        } catch (error) {
          if (!values.follow) throw error;
          watched = { ...watched, isUp: false };
          if (!signal.aborted) await say(`It could not check: ${(error as Error).message}`);
        }
        if (values.follow) await delay(interval, undefined, { signal }).catch(() => undefined);
      } while (values.follow && !signal.aborted);
      return findings.size > 0 ? EVIDENCE : 0;
    } finally {
      server?.closeAllConnections();
      server?.close();
    }
  },
};

async function monitorOf(invocation: Invocation<"monitor">) {
  const { values, positionals, clientEnvironment, signal } = invocation;
  const [url = ""] = positionals;
  const { state: folder = "", witnesses: file } = values;
  if (folder === "") throw new UsageError("--state names a folder for what the monitor has seen.");
  const asked = { values: { ...values, url }, clientEnvironment, signal };
  const address = await serviceAddress(asked);
  const service = await openClient(asked);
  const { client } = service;
  const onLedger = untilSuccess(async () => (await askingFrom(service, undefined, signal)).fetchers.object);
  const policy = file === undefined ? undefined : await readFile(file, "utf8");
  return createMonitor({
    folder,
    log: createLogClient(`${address.url}/log`, { signal, fetch }),
    auditor: address.key !== undefined || (await isOpen(client)) ? client : undefined,
    vkey: values.logKey,
    anchored: async (origin) => lastAnchored(await onLedger(), { ...(await client.getTrustRoot()), origin }),
    gateOnLedger: async (receiptId, origin) =>
      gateOnLedger(await onLedger(), { ...(await client.getTrustRoot()), receiptId, origin }),
    operatorsKey: async () => (await client.getTrustRoot()).logKey,
    ...(policy !== undefined && { witnesses: (vkey: string) => policyOfLog(vkey, policy) }),
    delayMs: 1_000 * (values.delay ?? DEFAULT_SECONDS),
    now: Date.now,
  });
}

/** Whether the service asks nobody for a key. */
const isOpen = (client: Client): Promise<boolean> =>
  client.getLog().then(
    () => true,
    (error) => (error instanceof ProblemError && [401, 403].includes(error.status) ? false : Promise.reject(error)),
  );

async function show({ values, print, json }: Invocation<"monitor">, pass: Pass): Promise<void> {
  const { origin, size, findings, entries, receipts, imported = 0, unchecked } = pass;
  if (values.json) return json(pass);
  for (const { code, number, sentence } of findings)
    await print(`${code}${number === undefined ? "" : ` ${number}`}: ${sentence}`);
  if (unchecked !== undefined)
    return print(`${origin}: findings ${findings.length}. The rest could not be checked: ${unchecked}`);
  const ofOthers = imported === 0 ? "" : `, of these imported ${imported}`;
  const audited = entries === undefined ? "" : `, of the tenant ${entries}, receipts ${receipts}${ofOthers}`;
  const found = findings.length === 0 ? "nothing is wrong" : `findings ${findings.length}`;
  await print(`${origin}: entries ${size}${audited}: ${found}.`);
}
