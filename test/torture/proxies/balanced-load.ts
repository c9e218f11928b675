// Steady load through a balancer, over connections that are kept alive. Every request must succeed.
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Random } from "#test/torture/kills/seeded-random.ts";

const WORKERS = 8;
/** The longest pause between two requests of a worker. */
const PAUSE_MS = 60;
const REQUEST_TIMEOUT_MS = 60_000;
const AGENTS = ["assistant", "planner", "advisor"];
const NAMESPACES = ["diet", "travel", "work", "finance"];

export interface LoadReport {
  readonly requests: Map<string, number>;
  /** One sentence for each request that did not succeed. */
  readonly failures: string[];
  longestMs: number;
  /** The memories that were captured. */
  readonly captured: Set<string>;
}

export interface BalancedLoad {
  readonly report: LoadReport;
  /** Sends nothing more, and resolves when every request has ended. */
  stop(): Promise<void>;
}

let facts = 0;

type Step = (client: Client, random: Random, report: LoadReport) => Promise<unknown>;

const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ["chat", (client, random) => client.chat({ agentId: random.pick(AGENTS), query: "What is planned for Friday?" })],
  [
    "streamed chat",
    (client, random) =>
      client.chat({ agentId: random.pick(AGENTS), query: "When does the flight leave?" }, { onText: () => undefined }),
  ],
  ["recall", (client, random) => client.recall({ agentId: random.pick(AGENTS), query: "Friday", limit: 4 })],
  [
    "capture",
    async (client, random, { captured }) => {
      const fact = { namespace: random.pick(NAMESPACES), sourceAgent: random.pick(AGENTS) };
      const { memory } = await client.capture({ ...fact, content: `Fact ${++facts} of this trial.` });
      captured.add(memory.memoryId);
    },
  ],
  [
    "policy change",
    (client, random) =>
      client.setAccess({ agentId: "visitor", namespace: random.pick(NAMESPACES), allowed: random.isBelow(0.5) }),
  ],
]);

export function startBalancedLoad(url: string, random: Random): BalancedLoad {
  const report: LoadReport = { requests: new Map(), failures: [], longestMs: 0, captured: new Set() };
  const client = createClient({
    baseUrl: url,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
  });
  let isOver = false;

  async function work(): Promise<void> {
    while (!isOver) {
      const [name, step] = random.pick([...STEPS]);
      const began = performance.now();
      try {
        await step(client, random, report);
      } catch (error) {
        report.failures.push(`${new Date().toISOString()} ${name}: ${reasonOf(error)}`);
      }
      report.requests.set(name, (report.requests.get(name) ?? 0) + 1);
      report.longestMs = Math.max(report.longestMs, performance.now() - began);
      await delay(random() * PAUSE_MS);
    }
  }

  const working = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    report,
    async stop() {
      isOver = true;
      await working;
    },
  };
}

export function reasonOf(error: unknown): string {
  if (error instanceof ProblemError) return `${error.status} ${error.code}`;
  const cause = error instanceof Error ? error.cause : undefined;
  return `${error}${cause === undefined ? "" : ` (${cause})`}`;
}
