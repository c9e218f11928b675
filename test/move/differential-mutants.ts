// Mutation tests of the differential test: each mutant changes one value of a recorded sequence, and one of its Move
// tests has to fail.
import {
  anchorCheckpoint,
  anchorReceipt,
  closeVersion,
  keyCall,
  newGate,
  setAccess,
} from "#test/adapters/local-ledger/fixture.ts";
import { executeSequence, type TransactionRecord } from "./differential-local.ts";
import type { NamedSequence } from "./differential-move.ts";

export interface Mutant {
  readonly sequence: NamedSequence;
  /** The Move test that must fail. */
  readonly failing: string;
}

const SAMPLE = [
  [
    setAccess("a", "c"),
    closeVersion(1),
    closeVersion(2),
    anchorReceipt({ agent: "a", claimed: ["c"], policyVersion: 1 }),
  ],
  [setAccess("", "c")],
  [
    newGate(),
    keyCall("add_key", new Uint8Array(32)),
    anchorCheckpoint(),
    anchorReceipt({ agent: "a", claimed: ["c", "health"], policyVersion: 1 }),
  ],
];

export async function mutants(): Promise<Mutant[]> {
  const record = await executeSequence(SAMPLE);
  const [first, second, third] = record.transactions as [TransactionRecord, TransactionRecord, TransactionRecord];

  const mutant = (name: string, changes: Partial<Record<0 | 1 | 2, TransactionRecord>>, suffix = ""): Mutant => {
    const transactions = [changes[0] ?? first, changes[1] ?? second, changes[2] ?? third];
    return { sequence: { ...record, name: `mutant_${name}`, transactions }, failing: `mutant_${name}${suffix}` };
  };
  const receipt = (name: string, change: (rest: Uint8Array) => Uint8Array): Mutant => {
    const minted = first.minted.map((receipt) => ({ ...receipt, rest: change(receipt.rest) }));
    return mutant(name, { 0: { ...first, minted } });
  };
  const { abort, ...notAborted } = second;
  const access = mutant("access", {});
  const keys = mutant("keys", {});
  const pseudonyms = mutant("pseudonyms", {});
  const below = mutant("below", {});
  const [pair, ...pairs] = record.access;
  if (abort === undefined || pair === undefined) throw new Error("the sample has no abort or no access");

  return [
    mutant("version", { 2: { ...third, version: third.version + 1n } }),
    // From the end: anchored_at_ms (8 bytes), superseded_at_ms (1 and 8), closed_at_ms (8), policy_version (8),
    // all_authorized.
    receipt("verdict", (rest) => rest.with(-34, 0)),
    receipt("closed_at", (rest) => rest.with(-25, 255 - (rest.at(-25) ?? 0))),
    receipt("superseded_at", (rest) => rest.with(-16, 255 - (rest.at(-16) ?? 0))),
    receipt("not_superseded", (rest) => Uint8Array.from([...rest.slice(0, -17), 0, ...rest.slice(-8)])),
    receipt("time", (rest) => rest.with(-8, 255 - (rest.at(-8) ?? 0))),
    receipt("agent", (rest) => rest.with(1, 98)),
    mutant("no_receipt", { 2: { ...third, minted: [] } }),
    mutant("no_event", { 0: { ...first, changed: [] } }),
    mutant("no_closing", { 0: { ...first, closed: [] } }),
    mutant("no_gate", { 2: { ...third, made: 0 } }),
    mutant("no_checkpoint", { 2: { ...third, checkpoints: [] } }),
    mutant("no_key", { 2: { ...third, added: [] } }),
    mutant("other_event", { 2: { ...third, anchored: third.anchored.map((bytes) => bytes.with(1, 98)) } }),
    mutant("no_abort", { 1: notAborted }),
    mutant("other_abort", { 1: { ...second, abort: abort + 1 } }, "_aborts_1"),
    mutant("one_more_abort", { 2: { ...third, abort } }, "_aborts_2"),
    // Below the first gate, no gate can be made.
    { ...below, sequence: { ...below.sequence, isBelow: true } },
    { ...keys, sequence: { ...keys.sequence, keys: record.keys.with(0, 0) } },
    { ...pseudonyms, sequence: { ...pseudonyms.sequence, pseudonyms: !record.pseudonyms } },
    { ...access, sequence: { ...access.sequence, access: [{ ...pair, allowed: !pair.allowed }, ...pairs] } },
  ];
}
