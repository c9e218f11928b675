// A tenant for each of very many users, made and used over three replicas that are restarted one after the other.
import { runCommand } from "#test/support/run-command.ts";
import type { Random } from "#test/torture/kills/seeded-random.ts";
import { restartRolling } from "#test/torture/proxies/rolling-restarts.ts";
import { KEYED, operatorKeyOf } from "./first-keys.ts";
import { lookAtOne } from "./one-of-many.ts";
import { startTenantLoad } from "./tenant-load.ts";

interface Options {
  readonly database: string;
  readonly tenants: number;
  readonly random: Random;
  readonly onStatus: (status: string) => void;
}

interface Report {
  readonly numbers: Readonly<Record<string, number | string>>;
  readonly violations: readonly string[];
}

const LONGEST_MAKING_SECONDS = 600;

export async function serveManyUsers({ database, tenants, random, onStatus }: Options): Promise<Report> {
  const numbers: Record<string, number | string> = {};
  const violations: string[] = [];
  const { failures, requests, restarts, longestMs } = await restartRolling({
    database,
    rounds: Number.POSITIVE_INFINITY,
    random,
    environment: { ...KEYED, SEED: "none" },
    async load(url, firstReplica) {
      const operatorKey = await operatorKeyOf(firstReplica);
      const load = await startTenantLoad(url, operatorKey, tenants);
      return {
        report: load.report,
        isDone() {
          const { made, used } = load.progress();
          onStatus(`${made} tenants made, ${used} used, of ${tenants}`);
          return used === tenants;
        },
        async stop() {
          await load.stop();
          const { making, using } = load.seconds;
          numbers.made = `${tenants} tenants in ${making.toFixed(0)} s`;
          numbers.used = `ten requests in each in ${using.toFixed(0)} s`;
          if (making > LONGEST_MAKING_SECONDS) violations.push(`${tenants} tenants took ${making} s to make`);
          const looked = await lookAtOne({ url, operatorKey, backendKey: load.backendKey, user: tenants / 2 });
          Object.assign(numbers, looked.figures);
          violations.push(...looked.violations);
        },
      };
    },
  });
  onStatus("fsck");
  const began = performance.now();
  const { code, out, err } = await runCommand("fsck", [], { DATABASE_URL: database });
  if (code !== 0) violations.push(`fsck: ${(out + err).slice(0, 1_000)}`);
  const sent = [...requests.values()].reduce((sum, count) => sum + count, 0);
  return {
    numbers: {
      ...numbers,
      requests: `${sent}, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms`,
      restarts,
      fsck: `${code === 0 ? "clean" : "differences"}, ${((performance.now() - began) / 1_000).toFixed(0)} s`,
    },
    violations: [...violations, ...failures],
  };
}
