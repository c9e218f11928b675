// What a new user finds: a few weeks of one person's life, told by four agents. Ask about Friday's dinner, close
// `health` or `diet`, and ask again.
import type { Fact } from "../core/memory.ts";
import { policyFrom } from "../core/policy.ts";

const told = (sourceAgent: string, namespace: string, content: string): Fact => ({ namespace, content, sourceAgent });

/** Oldest first. */
export const SEED_FACTS: readonly Fact[] = [
  told(
    "companion",
    "health",
    "Mara has a severe peanut allergy and carries an adrenaline pen; no peanuts or satay at any dinner.",
  ),
  told("companion", "health", "Mara takes 10 mg of cetirizine every morning during the pollen season."),
  told("companion", "health", "Mara's blood pressure was 128 over 82 at the check-up in March."),
  told("assistant", "diet", "Mara eats vegetarian on weekdays and fish at the weekend."),
  told(
    "assistant",
    "diet",
    "For dinner on Friday Mara has booked a table at Lotus, the Thai place known for its satay.",
  ),
  told("companion", "diet", "Mara drinks no coffee after two in the afternoon because it keeps her awake."),
  told("companion", "fitness", "Mara runs five kilometres on Tuesday and Thursday mornings before work."),
  told(
    "companion",
    "fitness",
    "Mara's left knee hurts on downhill runs; her physiotherapist advised flat routes until June.",
  ),
  told("planner", "travel", "Mara flies to Lisbon on 12 May at 07:40 and prefers an aisle seat."),
  told("planner", "travel", "Mara's passport expires on 3 September; it must be renewed before the summer trip."),
  told("planner", "work", "Mara presents the quarterly roadmap to the board on 9 May at ten."),
  told("assistant", "work", "Mara's manager is Jonas; they meet every Monday at nine."),
  told("advisor", "finance", "Mara saves 400 euros a month towards a flat and has 18,200 euros so far."),
  told("advisor", "finance", "Mara's car insurance of 61 euros a month can be cancelled until the end of November."),
];

const rules = (agentId: string, leaves: Readonly<Record<string, boolean>>) =>
  Object.entries(leaves).map(([namespace, allowed]) => ({ agentId, namespace, allowed }));

export const SEED_POLICY = policyFrom([
  ...rules("assistant", { health: true, diet: true, fitness: true, travel: true, work: true, finance: false }),
  ...rules("companion", { health: true, diet: true, fitness: true }),
  ...rules("planner", { travel: true, work: true, diet: true, health: false }),
  ...rules("advisor", { finance: true, work: true }),
]);
