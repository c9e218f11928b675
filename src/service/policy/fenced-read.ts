// Reading outside an answer: an agent's own listings and receipts. What it reads leaves behind the same fence as an
// answer does, so that nothing of a revoked namespace is sent once the revoke was acknowledged.
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";

const MAX_ATTEMPTS = 3;

interface Readable<T> {
  readonly value: T;
  /** Whose memories `value` quotes. */
  readonly namespaces: readonly string[];
}

/** Has `release` send what `load` read. Reads again when the policy took away one of its namespaces meanwhile. */
export async function readBehindFence<T>(
  { gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">,
  agentId: string,
  load: () => Promise<Readable<T>>,
  /** The signal is that of a `FencedAction`. */
  release: (value: T, lost: AbortSignal) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Taken before anything is read: the fence checks each namespace when the version has changed since.
    const { version: policyVersion } = await gatekeeper.policy();
    const { value, namespaces } = await load();
    if (namespaces.length === 0) return release(value, NEVER_ABORTS);
    const readSet = { agentId, policyVersion, namespaces: [...new Set(namespaces)] };
    if (await records.policy.passFence(readSet, (lost) => release(value, lost))) return;
  }
  throw new PortcullisError("policy-changed", "The policy kept changing while this was read. Ask again.");
}
