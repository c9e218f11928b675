// Opens an entry point for every agent under many policies, and compares what comes out with the oracle.
import { type CanaryService, startCanaryService } from "./canary-service.ts";
import type { EntryPoint, OpenEntryPoint, Outcome } from "./entry-point.ts";
import { AGENTS, oracle } from "./policies.ts";

export interface EntryPointReport {
  /** How many outcomes were compared. */
  readonly compared: number;
  readonly violations: readonly string[];
}

interface EntryPointCheck {
  readonly policies: readonly number[];
  readonly onProgress?: (done: number) => void;
}

/** A reset reads all receipts on record. A few services on empty databases are faster than one. */
const POLICIES_A_SERVICE = 64;

export async function checkEntryPoint(
  entryPoint: EntryPoint,
  { policies, onProgress }: EntryPointCheck,
): Promise<EntryPointReport> {
  const violations: string[] = [];
  let compared = 0;
  let done = 0;
  for (let first = 0; first < policies.length; first += POLICIES_A_SERVICE) {
    const service = await startCanaryService();
    const open = new Map<string, OpenEntryPoint>();
    try {
      for (const [agent, key] of service.keys) open.set(agent, await entryPoint({ url: service.url, key }));
      for (const policy of policies.slice(first, first + POLICIES_A_SERVICE)) {
        await service.enforce(policy);
        const found = await Promise.all(
          AGENTS.map((agent) => compare(service, open.get(agent) as OpenEntryPoint, { policy, agent })),
        );
        compared += found.reduce((sum, each) => sum + each.compared, 0);
        violations.push(...found.flatMap((each) => each.violations));
        done += 1;
        onProgress?.(done);
      }
    } finally {
      for (const each of open.values()) await each.close?.();
      await service.stop();
    }
  }
  return { compared, violations };
}

async function compare(
  { canaries, second }: CanaryService,
  { reads, probes = {} }: OpenEntryPoint,
  { policy, agent }: { readonly policy: number; readonly agent: string },
): Promise<EntryPointReport> {
  const violations: string[] = [];
  const { used, blocked } = oracle(policy, agent);
  const say = (way: string, what: string) => violations.push(`policy ${policy}, agent ${agent}, ${way}: ${what}`);
  const spoken = (text: string) => [...canaries].filter(([, canary]) => text.includes(canary)).map(([name]) => name);
  const sayTraces = (way: string, text: string) => {
    if (second.tracesIn(text).length > 0) say(way, `gave something of another tenant: ${text}`);
  };
  for (const [way, read] of Object.entries(reads)) {
    const { text, receipt } = await read().catch((error): Outcome => ({ text: `failed: ${error.stack}` }));
    sayTraces(way, text);
    const heard = spoken(text).join();
    if (heard !== used.join()) say(way, `gave ${heard || "nothing"} and not ${used.join() || "nothing"}: ${text}`);
    if (receipt === undefined) continue;
    const named = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))].sort().join();
    if (named !== used.join()) say(way, `the receipt names ${named} as used, and not ${used.join()}`);
    const closed = receipt.blockedNamespaces.join();
    if (closed !== blocked.join()) say(way, `the receipt names ${closed} as blocked, and not ${blocked.join()}`);
  }
  for (const [way, probe] of Object.entries(probes)) {
    const text = await probe();
    sayTraces(way, text);
    const heard = spoken(text).join();
    if (heard !== "") say(way, `gave the text of ${heard}`);
  }
  return { compared: Object.keys(reads).length + Object.keys(probes).length, violations };
}
