// The recorded changes of the policy that the gate lacks, in order, each with its version and the names on the ledger.
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { Naming } from "#core/ledger/pseudonym.ts";
import type { ChangePosition, PolicyChange, RecordStore, SentVersions } from "#ports.ts";

export interface UnsentChanges {
  readonly versions: readonly VersionChanges[];
  readonly isAll: boolean;
}

export interface VersionChanges {
  readonly version: number;
  readonly changes: readonly UnsentChange[];
  /** How many rules of the version have been looked at when these changes are sent. */
  readonly rules: number;
  /** Whether these are all changes of the version that are left to send. */
  readonly isWhole: boolean;
}

export interface UnsentChange extends AccessRule {
  /** How many rules of the version are sent when this one is. */
  readonly rules: number;
}

export const NOTHING_UNSENT: UnsentChanges = { versions: [], isAll: true };

/** More than fit into one transaction. */
const ROWS = 1_000;

interface Source {
  readonly naming: Naming;
  readonly records: Pick<RecordStore, "policy">;
  /** What makes the gate's entries those of the policy as of `version`, under their names there. For a version that moved past the gate. */
  readonly netDifference: (version: number) => Promise<readonly AccessRule[]>;
}

/** `progress` is where an earlier transaction ended, if it ended in the middle of a version. */
export async function readUnsent(
  { version: closed }: Pick<ChainState, "version">,
  sent: SentVersions,
  progress: ChangePosition | undefined,
  { naming, records, netDifference }: Source,
): Promise<UnsentChanges> {
  const first = firstUnsent(closed, sent);
  const from = progress !== undefined && progress.version >= first ? progress : { version: first, rules: 0 };
  const rows = await records.policy.changesFrom(from, ROWS + 1);
  const grouped = Map.groupBy(rows.slice(0, ROWS), ({ version }) => version);
  const next = rows[ROWS]?.version;
  const versions = [...grouped].map(async ([version, group]): Promise<VersionChanges> => {
    if (group.every(isMove)) {
      const changes = (await netDifference(version)).map((rule) => ({ ...rule, rules: 0 }));
      return { version, changes, rules: 0, isWhole: true };
    }
    const skipped = version === from.version ? from.rules : 0;
    const changes = group.flatMap((change, i) => effectiveChange(change, skipped + i + 1, naming));
    return { version, changes, rules: skipped + group.length, isWhole: version !== next };
  });
  return { versions: await Promise.all(versions), isAll: next === undefined };
}

/** The first version to send. What came before a move past the gate is not sent any more. */
export function firstUnsent(closed: number, { moves }: SentVersions): number {
  return Math.max(closed + 1, moves.at(-1)?.version ?? 0);
}

/** Whether the gate knows our version by this number, and not somebody else's. */
export function isOurs(version: number, { moves }: SentVersions): boolean {
  return !moves.some((move) => version > move.after && version < move.version);
}

/** Whether the gate went on from this version without us, and our policy moved past it from there. */
export function isLastBeforeMove(version: number, { moves }: SentVersions): boolean {
  return moves.some(({ after }) => after === version);
}

/** The version moved past the gate, and no rule changed. */
const isMove = ({ agentId, namespace, from, to }: PolicyChange): boolean =>
  agentId === "" && namespace === "" && from === null && to === null;

/** The gate makes no difference between a rule that is closed and no rule. */
function effectiveChange({ agentId, namespace, from, to }: PolicyChange, rules: number, { onLedger }: Naming) {
  if ((from === true) === (to === true)) return [];
  return [{ agentId: onLedger(agentId), namespace: onLedger(namespace), allowed: to === true, rules }];
}
