// The gate on the ledger: the Move struct `Gate` of `portcullis::gate`, decoded from BCS as far as a verifier needs it.
import { bcsReader } from "#core/encoding/bcs.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { keyIdOf } from "#core/receipt/disclosure/signing-key.ts";

export interface GateKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly addedAtMs: number;
  readonly endedAtMs?: number;
}

export interface ChainGate {
  readonly id: string;
  /** The last closed version of the policy. */
  readonly version: bigint;
  /** Absent on gates of releases up to 0.1, which have none. */
  readonly keys?: readonly GateKey[];
}

/** Undefined for bytes that are not a gate. */
export function readGate(content: Uint8Array): ChainGate | undefined {
  return orUndefined(() => readCurrentGate(content)) ?? orUndefined(() => readFormerGate(content));
}

function readCurrentGate(content: Uint8Array): ChainGate {
  const reader = bcsReader(content);
  const id = reader.address();
  skipTable(reader);
  const version = reader.u64();
  skipTable(reader);
  const keys = reader.vector((): GateKey => {
    const publicKey = reader.bytes();
    const addedAtMs = Number(reader.u64());
    const [endedAtMs] = reader.vector(() => Number(reader.u64()));
    return { keyId: keyIdOf(publicKey), publicKey, addedAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
  });
  reader.end();
  return { id, version, keys };
}

function readFormerGate(content: Uint8Array): ChainGate {
  const reader = bcsReader(content);
  const id = reader.address();
  skipTable(reader);
  const version = reader.u64();
  reader.end();
  return { id, version };
}

function skipTable(reader: ReturnType<typeof bcsReader>): void {
  reader.address();
  reader.u64();
}
