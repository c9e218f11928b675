// Executes a sequence on the local ledger, as signed transactions, and records the results.
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { AccessField, Gate, Receipt, ReceiptAnchored, typeName } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { newGate, signedCalls, type TestCall } from "#test/adapters/local-ledger/fixture.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { AGENTS, NAMESPACES, type Sequence } from "./differential-sequences.ts";

/** The ids of the two ledgers differ, so values that begin with ids are recorded without them. */
const ID_BYTES = 32;

export interface TransactionRecord {
  readonly atMs: number;
  readonly calls: readonly TestCall[];
  /** The abort code, when a call aborted. */
  readonly abort?: number;
  readonly version: bigint;
  readonly minted: readonly {
    readonly digest: Uint8Array;
    readonly claimed: readonly string[];
    readonly policyVersion: bigint;
    readonly allAuthorized: boolean;
    readonly supersededAtMs: number | undefined;
    readonly rest: Uint8Array;
  }[];
  /** Of the anchors, in the order of the calls. */
  readonly verdicts: readonly boolean[];
  /** The events, without the ids that they begin with. */
  readonly changed: readonly Uint8Array[];
  readonly closed: readonly Uint8Array[];
  readonly added: readonly Uint8Array[];
  readonly ended: readonly Uint8Array[];
  readonly anchored: readonly Uint8Array[];
  readonly checkpoints: readonly Uint8Array[];
  /** How many gates were made. */
  readonly made: number;
}

export interface SequenceRecord {
  /** Whether the calls go to a gate below the first one. */
  readonly isBelow: boolean;
  readonly transactions: readonly TransactionRecord[];
  /** The final access of all pairs of usual names. */
  readonly access: readonly { readonly agent: string; readonly namespace: string; readonly allowed: boolean }[];
  /** The BCS of the final keys. */
  readonly keys: Uint8Array;
  readonly pseudonyms: boolean;
}

const SigningKeys = bcs.vector(
  bcs.struct("SigningKey", {
    public_key: bcs.byteVector(),
    added_at_ms: bcs.u64(),
    ended_at_ms: bcs.option(bcs.u64()),
  }),
);

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const include = { effects: true, events: true, objectTypes: true } as const;

/** With `isBelow`, a gate below the first one is made before the sequence, and the calls go to it. */
export async function executeSequence(sequence: Sequence, isBelow = false): Promise<SequenceRecord> {
  let atMs = 1_700_000_000_000;
  const sui = await createLocalSui({ log: memoryLog(), owner: signer.toSuiAddress(), clock: () => atMs, gates: 2 });
  const gate = isBelow ? await makeGate(sui) : sui;
  const transactions: TransactionRecord[] = [];
  for (const calls of sequence) {
    atMs += 1000;
    transactions.push(await executeCalls(sui, gate, calls, atMs));
  }
  const { keys, pseudonyms } = await readGate(sui, gate);
  return {
    isBelow,
    transactions,
    access: await readAccess(sui, gate),
    keys: SigningKeys.serialize(keys).toBytes(),
    pseudonyms,
  };
}

type CalledGate = Pick<LocalSui, "gateId" | "initialSharedVersion">;

async function makeGate(sui: LocalSui): Promise<CalledGate> {
  const result = await sui.executeTransaction({ ...(await signedCalls(sui, sui, signer, [newGate()])), include });
  const { objectTypes, effects } = result.Transaction ?? result.FailedTransaction;
  const made = effects.changedObjects.find(
    ({ objectId, idOperation }) =>
      idOperation === "Created" && objectTypes[objectId] === typeName(sui.packageId, "Gate"),
  );
  if (made?.outputVersion == null) throw new Error("no gate was made");
  return { gateId: made.objectId, initialSharedVersion: made.outputVersion };
}

async function executeCalls(
  sui: LocalSui,
  { gateId, initialSharedVersion }: CalledGate,
  calls: readonly TestCall[],
  atMs: number,
): Promise<TransactionRecord> {
  const { packageId, gates, gasCoinId } = sui;
  const ids = { packageId, gates, gasCoinId, gateId, initialSharedVersion };
  const result = await sui.executeTransaction({ ...(await signedCalls(sui, ids, signer, calls)), include });
  const { status, events, effects, objectTypes } = result.Transaction ?? result.FailedTransaction;
  const type = (name: string) => typeName(sui.packageId, name);
  const bytesOf = (name: string, ids: number) =>
    events.filter(({ eventType }) => eventType === type(name)).map((event) => event.bcs.subarray(ids * ID_BYTES));

  const created = effects.changedObjects.filter(({ idOperation }) => idOperation === "Created");
  const receiptIds = created.map(({ objectId }) => objectId).filter((id) => objectTypes[id] === type("Receipt"));
  const { objects } = await sui.getObjects({ objectIds: receiptIds, include: { content: true } });
  const minted = objects.map((object) => {
    if (object instanceof Error) throw object;
    const { digest, claimed, policy_version, all_authorized, superseded_at_ms } = Receipt.parse(object.content);
    const key = { digest, claimed, policyVersion: BigInt(policy_version) };
    const supersededAtMs = superseded_at_ms === null ? undefined : Number(superseded_at_ms);
    return { ...key, allAuthorized: all_authorized, supersededAtMs, rest: object.content.subarray(2 * ID_BYTES) };
  });
  const { version } = await readGate(sui, { gateId });
  const verdicts = events
    .filter(({ eventType }) => eventType === type("ReceiptAnchored"))
    .map((event) => ReceiptAnchored.parse(event.bcs).all_authorized);
  const emitted = {
    changed: bytesOf("AccessChanged", 1),
    closed: bytesOf("VersionClosed", 1),
    added: bytesOf("KeyAdded", 1),
    ended: bytesOf("KeyEnded", 1),
    anchored: bytesOf("ReceiptAnchored", 2),
    checkpoints: bytesOf("CheckpointAnchored", 2),
    made: bytesOf("GateMade", 2).length,
  };
  const record = { atMs, calls, version: BigInt(version), minted, verdicts, ...emitted };
  if (status.success) return record;
  if (status.error.$kind !== "MoveAbort") throw new Error(`a failure that is not an abort: ${status.error.message}`);
  return { ...record, abort: Number(status.error.MoveAbort.abortCode) };
}

async function readGate(sui: LocalSui, { gateId }: Pick<LocalSui, "gateId">) {
  const { object } = await sui.getObject({ objectId: gateId, include: { content: true } });
  return Gate.parse(object.content);
}

/** As of the last closed version. */
async function readAccess(sui: LocalSui, gate: CalledGate): Promise<SequenceRecord["access"]> {
  const { access, version } = await readGate(sui, gate);
  const { dynamicFields } = await sui.listDynamicFields({ parentId: access.id, limit: 1000 });
  const objectIds = dynamicFields.map(({ fieldId }) => fieldId);
  const { objects } = await sui.getObjects({ objectIds, include: { content: true } });
  const entries = objects.map((object) => {
    if (object instanceof Error) throw object;
    return AccessField.parse(object.content);
  });
  return AGENTS.flatMap((agent) =>
    NAMESPACES.map((namespace) => {
      const entry = entries.find(({ name }) => name.agent === agent && name.namespace === namespace);
      const last = entry?.value.changes.findLast((change) => BigInt(change.version) <= BigInt(version));
      return { agent, namespace, allowed: last?.allowed ?? false };
    }),
  );
}
