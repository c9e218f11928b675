// Generates one Move module from recorded sequences: the interpreter of differential.move, the sequences as its data,
// and the tests. A Move test ends at an abort. So a sequence has one test without the transactions that aborted, and one
// more test for each abort.
import { readFileSync } from "node:fs";
import { bcs } from "@mysten/sui/bcs";
import type { SequenceRecord, TransactionRecord } from "./differential-local.ts";

const INTERPRETER = readFileSync(new URL("./differential.move", import.meta.url), "utf8");

export const MODULE = "differential";

export interface NamedSequence extends SequenceRecord {
  /** The name of its test, and the prefix of the names of the tests for its aborts. */
  readonly name: string;
}

/** Name -> source, for runMoveTests. */
export function differentialModule(sequences: readonly NamedSequence[]): Record<string, string> {
  return { [MODULE]: [INTERPRETER, ...sequences.map(testsOf)].join("\n") };
}

/** The names of the tests that the module has for a sequence. */
export function testNames({ name, transactions }: NamedSequence): string[] {
  return [name, ...transactions.flatMap(({ abort }, i) => (abort === undefined ? [] : [`${name}_aborts_${i}`]))];
}

function testsOf({ name, isBelow, transactions, access, keys, pseudonyms }: NamedSequence): string {
  const data = Buffer.from(
    SequenceData.serialize({
      isBelow,
      transactions: transactions.map(toData),
      access: [...access],
      keys,
      pseudonyms,
    }).toBytes(),
  );
  const aborts = transactions.flatMap(({ abort }, i) =>
    abort === undefined
      ? []
      : [
          `#[test, expected_failure(abort_code = ${abort}, location = portcullis::gate)]
fun ${name}_aborts_${i}() { replay_to_abort(${name}_data(), ${i}) }
`,
        ],
  );
  return [
    `fun ${name}_data(): vector<u8> { x"${data.toString("hex")}" }\n`,
    `#[test]\nfun ${name}() { replay(${name}_data()) }\n`,
    ...aborts,
  ].join("\n");
}

const CallData = bcs.struct("Call", {
  function: bcs.u8(),
  capOf: bcs.u64(),
  agent: bcs.string(),
  text: bcs.string(),
  allowed: bcs.bool(),
  version: bcs.u64(),
  bytes: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
});

const TransactionData = bcs.struct("Transaction", {
  atMs: bcs.u64(),
  calls: bcs.vector(CallData),
  isAborted: bcs.bool(),
  version: bcs.u64(),
  minted: bcs.vector(
    bcs.struct("Minted", {
      digest: bcs.byteVector(),
      claimed: bcs.vector(bcs.string()),
      policyVersion: bcs.u64(),
      rest: bcs.byteVector(),
    }),
  ),
  changed: bcs.vector(bcs.byteVector()),
  closed: bcs.vector(bcs.byteVector()),
  added: bcs.vector(bcs.byteVector()),
  ended: bcs.vector(bcs.byteVector()),
  anchored: bcs.vector(bcs.byteVector()),
  checkpoints: bcs.vector(bcs.byteVector()),
  made: bcs.u64(),
});

const SequenceData = bcs.struct("Sequence", {
  isBelow: bcs.bool(),
  transactions: bcs.vector(TransactionData),
  access: bcs.vector(bcs.struct("Access", { agent: bcs.string(), namespace: bcs.string(), allowed: bcs.bool() })),
  keys: bcs.byteVector(),
  pseudonyms: bcs.bool(),
});

function toData(record: TransactionRecord) {
  const { atMs, calls, abort, version, minted, changed, closed, added, ended, anchored, checkpoints, made } = record;
  return {
    atMs,
    calls: calls.map(toCallData),
    isAborted: abort !== undefined,
    version,
    minted: minted.map(({ digest, claimed, policyVersion, rest }) => {
      return { digest, claimed: [...claimed], policyVersion, rest };
    }),
    changed: [...changed],
    closed: [...closed],
    added: [...added],
    ended: [...ended],
    anchored: [...anchored],
    checkpoints: [...checkpoints],
    made,
  };
}

const FUNCTIONS = [
  ...(["set_access", "close_version", "add_key", "end_key", "anchor_receipt", "use_pseudonyms", "new_gate"] as const),
  "anchor_checkpoint" as const,
];
const NOTHING = { agent: "", text: "", allowed: false, version: 0, bytes: new Uint8Array(), claimed: [] };

function toCallData(call: TransactionRecord["calls"][number]) {
  const common = { ...NOTHING, function: FUNCTIONS.indexOf(call.function), capOf: call.capOf ?? 0 };
  switch (call.function) {
    case "use_pseudonyms":
      return common;
    case "new_gate":
      return { ...common, bytes: call.key };
    case "set_access": {
      const { agent, namespace: text, allowed, version } = call;
      return { ...common, agent, text, allowed, version };
    }
    case "close_version":
      return { ...common, version: call.version };
    case "add_key":
    case "end_key":
      return { ...common, bytes: call.publicKey };
    case "anchor_checkpoint":
      return { ...common, text: call.origin, version: call.size, bytes: call.root };
    case "anchor_receipt": {
      const { agent, blobId: text, digest, claimed, policyVersion: version } = call;
      return { ...common, agent, text, bytes: digest, claimed: [...claimed], version };
    }
  }
}
