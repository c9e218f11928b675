// Callers that ask, capture, change the policy and read, each one after another. What was acknowledged is noted.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "#contract/client/client.ts";

/** Captures and changes stay on record for ever, so they come at a steady rate. Answers come as fast as they can. */
const PAUSE_MS = 250;
const QUESTIONS = ["What is planned for dinner on Friday?", "What is in the pantry?", "When does the flight leave?"];

export interface Acknowledged {
  readonly memories: string[];
  readonly answers: string[];
  policyVersion: number;
}

export interface SteadyLoad {
  readonly acknowledged: Acknowledged;
  readonly counts: { requests: number; failed: number };
  readonly failures: string[];
  stop(): Promise<void>;
}

export function startSteadyLoad(client: Client, askers: number): SteadyLoad {
  const acknowledged: Acknowledged = { memories: [], answers: [], policyVersion: 0 };
  const counts = { requests: 0, failed: 0 };
  const failures: string[] = [];
  let isStopped = false;

  async function loop(request: (i: number) => Promise<void>, pauseMs = 0): Promise<void> {
    for (let i = 0; !isStopped; i++) {
      counts.requests += 1;
      try {
        await request(i);
      } catch (error) {
        counts.failed += 1;
        if (failures.length < 10) failures.push(error instanceof Error ? error.message : String(error));
      }
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  const ask = async (i: number) => {
    const query = QUESTIONS[i % QUESTIONS.length] ?? "";
    acknowledged.answers.push((await client.chat({ agentId: "assistant", query })).receipt.answerId);
  };
  const capture = async (i: number) => {
    const fact = { content: `Note ${i} of the load.`, namespace: `load-${i % 20}`, sourceAgent: "assistant" };
    acknowledged.memories.push((await client.capture(fact)).memory.memoryId);
  };
  const change = async (i: number) => {
    const rule = { agentId: "reader", namespace: `load-${i % 20}`, allowed: i % 2 === 0 };
    acknowledged.policyVersion = Math.max(acknowledged.policyVersion, (await client.setAccess(rule)).version);
  };
  const read = async () => {
    await client.listReceipts({ limit: 20 });
    await client.getOverview();
  };
  const loops = [
    ...Array.from({ length: askers }, () => loop(ask)),
    loop(capture, PAUSE_MS),
    loop(change, PAUSE_MS),
    loop(read, PAUSE_MS),
  ];
  return {
    acknowledged,
    counts,
    failures,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}
