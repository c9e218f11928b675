// A monitor follows a log: each checkpoint is signed, and continues the one that was seen before. With the key of an auditor
// it also reads what the entries say, and compares them with what the service has on record.
import { configurationError } from "#core/errors.ts";
import type { AnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import type { Finding, Report } from "#core/log/audit/chain-audit.ts";
import { addSight, boundsOf, continues, readCheckpoint } from "#core/log/audit/follow-log.ts";
import { parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { isConsistent } from "#core/log/merkle-tree.ts";
import { type NoteKey, parseVkey, vkeyOf } from "#core/log/signed-note.ts";
import type { WitnessPolicy } from "#core/log/witness-policy.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { type Audit, type AuditParts, createAudit } from "./audit.ts";
import { type MonitorState, readState, writeEvidence, writeState } from "./monitor-folder.ts";

interface Parts extends Omit<AuditParts, "auditor"> {
  readonly folder: string;
  /** With the key of an auditor; without it, only what is public is checked. */
  readonly auditor?: AuditParts["auditor"] | undefined;
  /** Of the log. Otherwise that of the first pass, which is the operator's word. */
  readonly vkey?: string | undefined;
  readonly operatorsKey: () => Promise<string>;
  /** The last checkpoint of the log that the ledger has. Rejects if the ledger does not answer. */
  readonly anchored: (origin: string) => Promise<AnchoredCheckpoint | undefined>;
  /** Who must have cosigned, given the key of the log. */
  readonly witnesses?: ((vkey: string) => WitnessPolicy) | undefined;
}

interface Seen {
  readonly note: string;
  readonly checkpoint: SignedCheckpoint;
}

export interface Pass {
  readonly origin: string;
  readonly size: number;
  readonly findings: readonly Finding[];
  /** What the auditor has compared. */
  readonly entries?: number;
  readonly receipts?: number;
  /** Of the receipts, those that others gave: this log does not have them. */
  readonly imported?: number;
  /** Why the rest could not be checked. Then the state on disk is that of the pass before. */
  readonly unchecked?: string;
}

/**
 * Each pass rejects if something could not be checked and nothing was found. What it has seen is on disk when it resolves.
 */
export function createMonitor(parts: Parts) {
  const { folder, log, auditor, witnesses, delayMs, now } = parts;
  let audit: Audit | undefined;

  async function keyOfLog(known: MonitorState | undefined): Promise<string> {
    const given = parts.vkey ?? known?.vkey ?? (await parts.operatorsKey());
    if (parseVkey(given) === undefined) throw configurationError("The key of the log is malformed.");
    if (known !== undefined && known.vkey !== given)
      throw configurationError("This folder belongs to a log with another key. Another log needs another folder.");
    return given;
  }

  /** What is now known of the log: the new checkpoint, if it continues the one before. */
  async function follow(known: MonitorState | undefined, vkey: string, report: Report): Promise<Seen> {
    const note = await log.checkpoint();
    const before = known && { note: known.note, checkpoint: parseCheckpoint(known.note) as SignedCheckpoint };
    const checkpoint = readCheckpoint(note, vkey, report);
    if (checkpoint === undefined) {
      if (before === undefined) throw new Error("The log has no checkpoint that its key has signed.");
      return before;
    }
    const key = { ...(parseVkey(vkey) as NoteKey), name: checkpoint.origin };
    if (witnesses?.(vkeyOf(key)).accepts(checkpoint) === false)
      report("not-cosigned", "Too few witnesses have cosigned the checkpoint.");
    if (before === undefined) return { note, checkpoint };
    const [from = 0, to = 0] = [before.checkpoint.size, checkpoint.size].toSorted((a, b) => a - b);
    const proof = await log.consistency(from, to).catch((error) => {
      // Tiles of a tree that the log does not show any more.
      if (to > checkpoint.size) return undefined;
      throw error;
    });
    const accuse: Report = (code, sentence) => {
      writeEvidence(folder, `${before.note}\n${note}`);
      report(code, sentence);
    };
    return continues(before.checkpoint, checkpoint, proof, accuse) ? { note, checkpoint } : before;
  }

  /** What the ledger has must be the beginning of what the log shows. One that is new may be ahead of a cache. */
  async function compareAnchored({ note, checkpoint }: Seen, report: Report): Promise<void> {
    const tree = await parts.anchored(checkpoint.origin);
    const isNew = tree !== undefined && now() - tree.anchoredAtMs <= delayMs + CLOCK_TOLERANCE_MS;
    if (tree === undefined || (tree.size > checkpoint.size && isNew)) return;
    const proof = tree.size > checkpoint.size ? [] : await log.consistency(tree.size, checkpoint.size);
    if (tree.size <= checkpoint.size && isConsistent(tree, checkpoint, proof)) return;
    writeEvidence(folder, `${note}\n${tree.objectId}\n`);
    const sentence = `The tree of ${tree.size} entries on the ledger, ${tree.objectId}, is not the beginning of the log’s: there are two histories.`;
    report("not-as-anchored", sentence);
  }

  return {
    async pass(): Promise<Pass> {
      const findings: Finding[] = [];
      const report: Report = (code, sentence, number) =>
        void findings.push({ code, sentence, ...(number !== undefined && { number }) });
      const known = readState(folder);
      const vkey = await keyOfLog(known);
      const seen = await follow(known, vkey, report);
      // What was found is told, also where a log shows no more of itself than that.
      const rest = checkRest(known, vkey, seen, report).catch((error: Error) => {
        if (findings.length === 0) throw error;
        return { unchecked: error.message };
      });
      const { origin, size } = seen.checkpoint;
      return { origin, size, ...(await rest), findings };
    },
  };

  async function checkRest(known: MonitorState | undefined, vkey: string, seen: Seen, report: Report) {
    const { note, checkpoint } = seen;
    await compareAnchored(seen, report);
    const at = now();
    const sights = known?.sights ?? [];
    let audited: Awaited<ReturnType<Audit["run"]>> | undefined;
    if (auditor !== undefined) {
      audit ??= createAudit({ ...parts, auditor });
      const current = audit;
      // What it holds may be half of a pass that failed.
      audit = undefined;
      const bounds = boundsOf(sights, at, delayMs);
      const times = [...sights.map((sight) => sight.at), at];
      const before = known?.at === undefined ? undefined : { origin: originOf(known.note), at: known.at };
      const run = { vkey, checkpoint, before, bounds, seen: times, ends: known?.ends ?? {}, report };
      audited = await current.run(run);
      audit = current;
    }
    writeState(folder, {
      v: 1,
      vkey,
      note,
      at,
      sights: [...addSight(sights, { size: checkpoint.size, at })],
      ends: { ...known?.ends, ...audited?.ends },
    });
    const { ends: _, ...counted } = audited ?? {};
    return counted;
  }
}

const originOf = (note: string): string => parseCheckpoint(note)?.origin ?? "";
