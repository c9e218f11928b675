import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";

/** How often to compare while other processes write. */
const ATTEMPTS = 5;

/**
 * Compares the recall index with the records by the number of memories in each namespace. Throws if they differ, because
 * a recall would then miss memories or find forgotten ones. `compared` is false if other processes wrote all the time,
 * so that index and records never showed the same moment.
 */
export async function checkIndex({ gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">) {
  let compared = false;
  for (let attempt = 0; attempt < ATTEMPTS && !compared; attempt++) {
    await gatekeeper.catchUp();
    const { position, memories } = gatekeeper.state();
    const { byNamespace } = await records.memories.counts();
    const differing = countDifferences(memories, byNamespace);
    await gatekeeper.catchUp();
    compared = differing === 0 || gatekeeper.state().position === position;
    if (compared && differing > 0) {
      throw new PortcullisError(
        "internal",
        `The records contradict themselves. Namespaces whose memories differ from their history: ${differing}. Use portcullis fsck to see the differences.`,
      );
    }
  }
  const { memories, policyVersion } = gatekeeper.state();
  const total = [...memories.values()].reduce((sum, count) => sum + count, 0);
  return { memories: total, namespaces: memories.size, policyVersion, compared };
}

function countDifferences(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].filter((name) => left.get(name) !== right.get(name)).length;
}
