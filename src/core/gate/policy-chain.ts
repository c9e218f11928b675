// The policy's digest: a hash chain over its change log, so that a change costs the same whatever the policy's size.
// The first hash is random. Hashes are secret, and receipts carry their digests: whoever knew two hashes in a row could
// try out changes until one fits, and so learn what other agents may use.
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import type { RuleChange } from "./policy.ts";
import { byKey } from "./policy-rules.ts";

export interface LoggedChange extends RuleChange {
  readonly by: string;
  readonly at: string;
}

/** The hash of `version`, whose changes come in any order. */
export function nextChainHash(previous: string, version: number, changes: readonly LoggedChange[]): string {
  const sorted = changes.toSorted(byKey);
  const plain = sorted.map(({ agentId, namespace, from, to, by, at }) => ({ agentId, namespace, from, to, by, at }));
  return digestOf({ previous, version, changes: plain });
}

/** What a receipt says of the policy: `evidence.policyDigest`. */
export const policyDigestOf = (chainHash: string): string => digestOfText(chainHash);
