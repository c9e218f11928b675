import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";

/** Numbers of what the index was built from. */
export interface Checked {
  readonly memories: number;
  readonly namespaces: number;
  readonly policyVersion: number;
  /** False when others wrote all the time, so that the two were never of one moment. */
  readonly compared: boolean;
}

/** So often, while others write. */
const LOOKS = 5;

/**
 * Compares the recall index with the records, by how many memories each namespace has. Throws if they differ: what is
 * recalled would not be what is on record.
 */
export async function checkIndex({ gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">): Promise<Checked> {
  let compared = false;
  for (let looks = 0; looks < LOOKS && !compared; looks++) {
    await gatekeeper.catchUp();
    const { position, memories } = gatekeeper.state();
    const { byNamespace } = await records.memories.counts();
    const differing = namesThatDiffer(memories, byNamespace);
    await gatekeeper.catchUp();
    compared = differing === 0 || gatekeeper.state().position === position;
    if (compared && differing > 0) {
      throw new PortcullisError(
        "internal",
        `The records contradict themselves: in ${differing} namespaces there are other memories than their history says. Run npm run fsck to see what is wrong.`,
      );
    }
  }
  const { memories, policyVersion } = gatekeeper.state();
  const total = [...memories.values()].reduce((sum, count) => sum + count, 0);
  return { memories: total, namespaces: memories.size, policyVersion, compared };
}

function namesThatDiffer(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): number {
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  return [...names].filter((name) => ours.get(name) !== theirs.get(name)).length;
}
