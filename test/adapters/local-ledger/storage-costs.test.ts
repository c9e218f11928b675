// What the objects of the gate cost on Sui: the table of docs/sui.md is computed here.
import { readFileSync } from "node:fs";
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { deriveDynamicFieldID } from "@mysten/sui/utils";
import { expect, test } from "vitest";
import { Gate } from "#adapters/ledger/gate-module.ts";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import {
  anchorCheckpoint,
  anchorReceipt,
  closeVersion,
  newGate,
  setAccess,
  signedCalls,
  type TestCall,
} from "./fixture.ts";

const DOCS = readFileSync(new URL("../../../docs/sui.md", import.meta.url), "utf8");
const MIST_PER_BYTE = 7_600;
/** Owner, previous transaction and rebate (sui-types/src/object.rs, `object_size_for_gas_metering`). */
const METADATA_BYTES = 40 + 32 + 8;
/** Whether it may be transferred, and its version. */
const FIXED_BYTES = 1 + 8;

const signer = Ed25519Keypair.generate();
const owner = signer.toSuiAddress();

/** The bytes that Sui charges for. */
function chargedBytes(objectBcs: Uint8Array): number {
  const { data } = bcs.Object.parse(objectBcs);
  const move = data.Move ?? expect.fail("It is a package.");
  const type = bcs.MoveObjectType.serialize(move.type).toBytes();
  return METADATA_BYTES + FIXED_BYTES + type.length + move.contents.length;
}

async function createdBytes(setUp: TestCall[], calls: TestCall[]): Promise<number> {
  const sui = await createLocalSui({ log: memoryLog(), owner });
  if (setUp.length > 0) await sui.executeTransaction(await signedCalls(sui, sui, signer, setUp));
  const { Transaction: done } = await sui.executeTransaction({
    ...(await signedCalls(sui, sui, signer, calls)),
    include: { effects: true },
  });
  const created = done?.effects.changedObjects.filter(({ idOperation }) => idOperation === "Created") ?? [];
  const objectIds = created.map(({ objectId }) => objectId);
  const { objects } = await sui.getObjects({ objectIds, include: { objectBcs: true } });
  return objects.reduce((sum, object) => sum + (object instanceof Error ? 0 : chargedBytes(object.objectBcs)), 0);
}

function expectRow(what: string, bytes: number): void {
  const cost = ((bytes * MIST_PER_BYTE) / 1e9).toFixed(4);
  const row = `| ${what} | ${bytes.toLocaleString("en")} | ${cost} |`;
  expect(DOCS, row).toContain(row);
}

const CLOSED = [closeVersion(1)];
const ORIGIN = "memory.example/log";
const NAMES = { agent: "assistant", namespace: "health" };

test.for([
  [
    "An anchor with one claim",
    CLOSED,
    [anchorReceipt({ agent: NAMES.agent, claimed: [NAMES.namespace], policyVersion: 1 })],
  ],
  ["A rule that is set for the first time", [], [setAccess(NAMES.agent, NAMES.namespace)]],
  ["A version that is closed", [], CLOSED],
  ["The gate of a tenant", [], [newGate()]],
  ["A checkpoint of the log", [anchorCheckpoint(ORIGIN, 1)], [anchorCheckpoint(ORIGIN, 2)]],
] as const)("docs/sui.md has the storage of: %s", async ([what, setUp, calls]) => {
  expectRow(what, await createdBytes([...setUp], [...calls]));
});

test("docs/sui.md has how many bytes the end of a version adds to its entry", async () => {
  const closedBytes = await createdBytes([], CLOSED);
  const sui = await createLocalSui({ log: memoryLog(), owner });
  for (const version of [1, 2])
    await sui.executeTransaction(await signedCalls(sui, sui, signer, [closeVersion(version)]));
  const { object: gate } = await sui.getObject({ objectId: sui.gateId, include: { content: true } });
  const id = deriveDynamicFieldID(Gate.parse(gate.content).closed.id, "u64", bcs.u64().serialize(1).toBytes());
  const { object } = await sui.getObject({ objectId: id, include: { objectBcs: true } });
  expect(DOCS).toContain(`adds ${chargedBytes(object.objectBcs) - closedBytes} bytes to the entry of the last one`);
});

test("docs/sui.md has the storage of the package, the gate and the capabilities", async () => {
  const { modules } = JSON.parse(readFileSync(new URL("../../../move/build/gate.json", import.meta.url), "utf8"));
  const source = readFileSync(new URL("../../../move/sources/gate.move", import.meta.url), "utf8");
  const structs = [...source.matchAll(/^(?:public )?struct (\w+)/gm)].map(([, name = ""]) => name);
  expect(structs).toContain("Receipt");
  // sui-types/src/move_package.rs, `size`: a version, the module, the origin of each type, two linked packages.
  const origins = structs.map((name) => "gate".length + name.length + 32);
  const linkage = 2 * (32 + 32 + 8);
  const module = "gate".length + Buffer.from(modules[0], "base64").length;
  const packageBytes = METADATA_BYTES + 8 + module + origins.reduce((sum, size) => sum + size, 0) + linkage;

  const sui = await createLocalSui({ log: memoryLog(), owner });
  const { object: gate } = await sui.getObject({ objectId: sui.gateId, include: { content: true } });
  const { dynamicFields } = await sui.listDynamicFields({ parentId: Gate.parse(gate.content).closed.id });
  expect(dynamicFields).toHaveLength(1);
  const entries = dynamicFields.map(({ fieldId }) => fieldId);
  const objectIds = [sui.gateId, sui.policyCapId, sui.anchorCapId, ...entries];
  const { objects } = await sui.getObjects({ objectIds, include: { objectBcs: true } });
  const made = objects.map((object) => (object instanceof Error ? 0 : chargedBytes(object.objectBcs)));
  expectRow("Publishing", packageBytes + made.reduce((sum, size) => sum + size, 0));
});
