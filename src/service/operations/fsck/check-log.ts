// The transparency log from inside: an auditor's checks, the tree, and that whatever is on record has its entry.
import { orUndefined } from "#core/defined.ts";
import { toHex } from "#core/encoding/digest.ts";
import { policyDigestOf } from "#core/gate/policy-chain.ts";
import { type AuditedEntry, type ChainAudit, createChainAudit, type Report } from "#core/log/audit/chain-audit.ts";
import { checkSigningKeys } from "#core/log/audit/records-audit.ts";
import { disclosed, entriesIn, entryOfDisclosed, type RecordedEntry } from "#core/log/entry.ts";
import { completeSubtrees, EMPTY_ROOT, growingRoot, leafHash } from "#core/log/merkle-tree.ts";
import { sha256 } from "#core/log/sha256.ts";
import { hashesOf, TILE_WIDTH } from "#core/log/tiles.ts";
import type { FsckContext } from "./context.ts";

export async function checkTransparencyLog(context: FsckContext): Promise<void> {
  const { rows, report, isDefault } = context;
  const chains = await Array.fromAsync(rows("logChain"));
  const places = new Map<number, string>();
  const differs: Report = (code, sentence, number) => {
    // The policy's own log says whether a version moved past that of the ledger.
    if (code !== "version-skipped") report("log", String(number ?? ""), inClause(sentence));
  };

  async function audited(
    kind: "logBatch" | "deploymentBatch",
    restored: readonly AuditedEntry[],
    each?: (entry: RecordedEntry) => unknown,
  ) {
    const isOwn = kind === "logBatch";
    const chain = chains.find((end) => (end.isOwn === 1) === isOwn);
    const key = Buffer.from(chain?.key ?? "", "hex");
    const audit = createChainAudit({
      report: isOwn || isDefault ? differs : () => undefined,
      bounds: () => ({ notAfter: Number.POSITIVE_INFINITY }),
      restored,
    });
    let last = 0;
    for await (const { treeIndex, ...batch } of rows(kind)) {
      const recorded = orUndefined(() =>
        entriesIn(batch).map((entry, i) => ({
          entry,
          shown: treeIndex === null ? undefined : disclosed(key, entry, treeIndex + i),
        })),
      );
      if (recorded === undefined) report("log", String(batch.last), "its entries cannot be read");
      for (const { entry, shown } of recorded ?? []) {
        each?.(entry);
        if (entry.number !== last + 1) differs("gap", `Entry ${entry.number} follows entry ${last}.`, entry.number);
        last = entry.number;
        if (shown === undefined) continue;
        audit.add(shown);
        places.set(shown.index, toHex(entryOfDisclosed(shown)));
        const end = audit.end();
        if (end.number === chain?.number && end.chain !== chain.chain)
          differs("chain", "The chain on record is not that of the entries.", entry.number);
      }
    }
    const [recorded, { number }] = [chain?.number ?? 0, audit.end()];
    if (number !== recorded)
      differs("chain", `The chain on record ends at ${recorded}, and the entries in the tree at ${number}.`);
    return audit;
  }

  const deployment = await audited("deploymentBatch", []);
  const named = new Map<string, string>();
  const tenant = await audited("logBatch", deployment.restorations, (entry) => named.set(...namedBy(entry)));
  await checkTree(context, places);
  await checkRecords(context, named, tenant);
  if (isDefault) {
    const keys = (await context.signingKeys()).map(({ publicKey, endedAt }) => ({
      publicKey: toHex(publicKey),
      createdAt: "",
      endedAt,
    }));
    const own = keys.filter(({ publicKey }) => deployment.keys.has(publicKey));
    // What waits for its place is not in the tree yet.
    checkSigningKeys({ tenant, deployment }, own, Number.POSITIVE_INFINITY, differs);
  }
}

/** That tiles have what entries say; for `default`, that all of them follow from the entries, and lead to the root. */
async function checkTree({ rows, report, isDefault }: FsckContext, places: ReadonlyMap<number, string>): Promise<void> {
  const tree = growingRoot();
  /** By level: what the tiles of the level must have, as far as it is known. */
  const expected: string[][] = [];
  let found = 0;
  for await (const { level, number, hashes: text } of rows("logTile")) {
    const hashes = hashesOf(Buffer.from(text, "hex"));
    const leaves = level === 0 ? hashes.map(leafHash) : hashes;
    for (const [i, hash] of hashes.entries()) {
      const place = number * TILE_WIDTH + i;
      const is = toHex(hash);
      const must = level === 0 ? places.get(place) : expected[level]?.[place];
      if (level === 0 && places.has(place)) found += 1;
      if ((must ?? is) !== is) report("log", "", `tile ${number} of level ${level} has another hash at place ${i}`);
    }
    if (!isDefault) continue;
    if (level === 0) for (const leaf of leaves) tree.append(leaf);
    if (hashes.length < TILE_WIDTH) continue;
    const above = expected[level + 1] ?? [];
    const [root = EMPTY_ROOT] = completeSubtrees(leaves).at(-1) ?? [];
    above[number] = toHex(root);
    expected[level + 1] = above;
  }
  if (found !== places.size) report("log", "", `${places.size - found} entries have a place and are in no tile`);
  if (!isDefault) return;
  for await (const { size, root } of rows("logHead")) {
    if (size !== tree.size()) report("log", "", `its tiles have ${tree.size()} entries, and its head says ${size}`);
    if (root !== toHex(tree.root())) report("log", "", "its tiles do not lead to the root of its head");
  }
}

/** Several kinds of entries say the same of what they are about. */
const SAYS = new Map<string, string>([
  ...["issued", "imported"].map((kind) => [kind, "receipt"] as const),
  ...["forgotten", "expired", "reset"].map((kind) => [kind, "gone"] as const),
]);

/** What the entry is about; and of an answer its signature, of a version of the policy its link. */
function namedBy({ kind, about, details }: RecordedEntry): [string, string] {
  const said = details ?? {};
  return [`${SAYS.get(kind) ?? kind} ${about ?? said.version}`, String(said.signature ?? said.link ?? "")];
}

/** `named`: by all entries, also those that wait. */
async function checkRecords(
  { rows, report }: FsckContext,
  named: ReadonlyMap<string, string>,
  { versions: [first] }: ChainAudit,
): Promise<void> {
  for await (const { answerId, body } of rows("receipt")) {
    if (body === null) continue;
    const signature = /"signature":\{"keyId":"[^"]*","value":"([\w-]*)"\}/.exec(body)?.[1] ?? "";
    const digest = toHex(sha256(Buffer.from(signature, "base64url")));
    const logged = named.get(`receipt ${answerId}`);
    if (logged === undefined) report("receipt", answerId, "it has no entry in the log");
    else if (logged !== digest) report("receipt", answerId, "its entry in the log is of another signature");
  }
  for await (const { version, chainHash } of rows("policyChain"))
    if (version >= (first?.version ?? 1) && named.get(`policy ${version}`) !== policyDigestOf(chainHash))
      report("policy", "", `version ${version} has no entry in the log with its digest`);
  // Tombstones that were imported are of memories that never were here.
  for await (const { memoryId, about } of rows("forgottenId"))
    if (named.has(`captured ${memoryId}`) && !named.has(`gone ${about}`))
      report("memory", memoryId, "it was forgotten, and the log has no entry of it");
}

/** The sentence of a finding, as a clause. */
const inClause = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
