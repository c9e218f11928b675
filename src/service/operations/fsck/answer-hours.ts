import type { IssuedReceipt } from "#ports.ts";
import type { FsckContext } from "./context.ts";

const COUNTS = ["answers", "used", "verified", "intact", "brokenOff"] as const;
type Counts = { [Count in (typeof COUNTS)[number]]: number };

const NONE: Readonly<Counts> = { answers: 0, used: 0, verified: 0, intact: 0, brokenOff: 0 };

/** Counts answers by the hour from their receipts, to compare with the counts on record. */
export function tallyHours() {
  const hours = new Map<string, Counts>();

  function add(createdAt: string, counts: Partial<Counts>): void {
    const hour = createdAt.slice(0, 13);
    const sum = { ...(hours.get(hour) ?? NONE) };
    for (const key of COUNTS) sum[key] += counts[key] ?? 0;
    hours.set(hour, sum);
  }

  return {
    addAnswer: ({ createdAt, used, verified, intact }: Omit<IssuedReceipt, "seed">) =>
      add(createdAt, { answers: 1, used, verified, intact }),
    addBrokenOff: (createdAt: string) => add(createdAt, { brokenOff: 1 }),

    async check({ rows, report }: FsckContext): Promise<void> {
      for await (const { hour, ...pruned } of rows("prunedHour")) add(hour, pruned);
      for await (const counted of rows("hour")) {
        const { hour } = counted;
        const derived = hours.get(hour) ?? NONE;
        for (const key of COUNTS) {
          if (counted[key] !== derived[key])
            report(
              "receipt",
              "",
              `the hour ${hour} counts ${counted[key]} as ${key}, but its receipts have ${derived[key]}`,
            );
        }
        hours.delete(hour);
      }
      for (const [hour, { answers, brokenOff }] of hours)
        report("receipt", "", `the hour ${hour} is not counted, but has ${answers + brokenOff} receipts`);
    },
  };
}
