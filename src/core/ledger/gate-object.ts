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
  /** Whether agents and namespaces stand there under pseudonyms (pseudonym.ts). */
  readonly hasPseudonyms: boolean;
}

/** As the Move module has them. Deriving the ids of thousands of keys would take seconds. */
const MAX_KEYS = 32;
const KEY_BYTES = 32;

/** Undefined for bytes that are not a gate, or one that the module could not have made. */
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
    if (publicKey.length !== KEY_BYTES) throw new Error("not a key");
    const addedAtMs = Number(reader.u64());
    const [endedAtMs] = reader.vector(() => Number(reader.u64()), 1);
    return { keyId: keyIdOf(publicKey), publicKey, addedAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
  }, MAX_KEYS);
  const hasPseudonyms = reader.bool();
  reader.end();
  if (new Set(keys.map(({ keyId }) => keyId)).size < keys.length) throw new Error("a key is there twice");
  return { id, version, keys, hasPseudonyms };
}

function readFormerGate(content: Uint8Array): ChainGate {
  const reader = bcsReader(content);
  const id = reader.address();
  skipTable(reader);
  const version = reader.u64();
  reader.end();
  return { id, version, hasPseudonyms: false };
}

function skipTable(reader: ReturnType<typeof bcsReader>): void {
  reader.address();
  reader.u64();
}
