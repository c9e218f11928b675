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

function testsOf({ name, transactions, access }: NamedSequence): string {
  const data = Buffer.from(
    SequenceData.serialize({ transactions: transactions.map(toData), access: [...access] }).toBytes(),
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
  isAnchor: bcs.bool(),
  capOf: bcs.u64(),
  agent: bcs.string(),
  text: bcs.string(),
  flag: bcs.bool(),
  digest: bcs.byteVector(),
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
  anchored: bcs.vector(bcs.byteVector()),
});

const SequenceData = bcs.struct("Sequence", {
  transactions: bcs.vector(TransactionData),
  access: bcs.vector(bcs.struct("Access", { agent: bcs.string(), namespace: bcs.string(), allowed: bcs.bool() })),
});

function toData({ atMs, calls, abort, version, minted, changed, anchored }: TransactionRecord) {
  return {
    atMs,
    calls: calls.map(toCallData),
    isAborted: abort !== undefined,
    version,
    minted: minted.map((receipt) => ({ ...receipt, claimed: [...receipt.claimed] })),
    changed: [...changed],
    anchored: [...anchored],
  };
}

function toCallData(call: TransactionRecord["calls"][number]) {
  const { agent, capOf = 0 } = call;
  if (call.function === "set_access") {
    return { isAnchor: false, capOf, agent, text: call.namespace, flag: call.allowed, digest: [], claimed: [] };
  }
  const { blobId, issued, digest, claimed } = call;
  return { isAnchor: true, capOf, agent, text: blobId, flag: issued, digest, claimed: [...claimed] };
}
