import { rulesOf } from "#core/gate/policy.ts";
import type { HourOfAnswers } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

const HOUR_MS = 3_600_000;
const HOURS = 24;

export async function overview({ records, now }: Deps) {
  const hours = lastHours(now().getTime());
  const [{ byNamespace, bySourceAgent }, { policy, version }, answered, anchors] = await Promise.all([
    records.memories.counts(),
    records.policy.current(),
    records.receipts.byHour(hours[0]?.slice(0, 13) ?? ""),
    records.anchors.counts(),
  ]);
  const agents = new Set([...rulesOf(policy).map(({ agentId }) => agentId), ...bySourceAgent.keys()]);
  return {
    memories: {
      total: sum(byNamespace.values()),
      byNamespace: [...byNamespace].map(([namespace, count]) => ({ namespace, count })),
      bySourceAgent: [...bySourceAgent].map(([sourceAgent, count]) => ({ sourceAgent, count })),
    },
    agents: [...agents].sort(),
    answers: answersIn(hours, answered),
    anchors,
    policyVersion: version,
  };
}

/** The starts of the last 24 hours, oldest first, with the current one. */
function lastHours(now: number): string[] {
  const current = now - (now % HOUR_MS);
  return Array.from({ length: HOURS }, (_, i) => new Date(current - (HOURS - 1 - i) * HOUR_MS).toISOString());
}

function answersIn(hours: readonly string[], answered: readonly HourOfAnswers[]) {
  const byHour = new Map(answered.map((hour) => [hour.hour, hour]));
  const shown = hours.flatMap((hour) => byHour.get(hour.slice(0, 13)) ?? []);
  const total = (key: "answers" | "used" | "verified" | "intact") => sum(shown.map((hour) => hour[key]));
  return {
    total: total("answers"),
    byHour: hours.map((hour) => ({ hour, count: byHour.get(hour.slice(0, 13))?.answers ?? 0 })),
    used: total("used"),
    verified: total("verified"),
    intact: total("intact"),
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
