// The Move module `portcullis::gate` (move/sources/gate.move) in TypeScript: its layouts, names, abort codes and limits.
// The Sui adapter and the local ledger both take them from here.
import { bcs } from "@mysten/sui/bcs";
import { normalizeStructTag } from "@mysten/sui/utils";

export const MODULE = "gate";

export interface GateIds {
  readonly packageId: string;
  readonly gateId: string;
  /** The gate whose capabilities count for this one. Left out: this one is a root. */
  readonly rootId?: string | undefined;
}

const Id = bcs.Address;

export interface Layout {
  parse(bytes: Uint8Array): unknown;
}

/** A `Table` has an id and a size. Its entries are dynamic fields of that id. */
const Table = bcs.struct("Table", { id: Id, size: bcs.u64() });

const SigningKey = bcs.struct("SigningKey", {
  public_key: bcs.byteVector(),
  added_at_ms: bcs.u64(),
  ended_at_ms: bcs.option(bcs.u64()),
});

/** `version` is the last closed one. `closed` has the closing of each closed version. `pseudonyms`: names are hidden. */
export const Gate = bcs.struct("Gate", {
  id: Id,
  access: Table,
  version: bcs.u64(),
  closed: Table,
  keys: bcs.vector(SigningKey),
  pseudonyms: bcs.bool(),
});
/** The changes of one entry, in order. When it is cut, older ones were dropped. */
export const History = bcs.struct("History", {
  changes: bcs.vector(bcs.struct("Change", { version: bcs.u64(), allowed: bcs.bool() })),
  is_cut: bcs.bool(),
});
export const AccessKey = bcs.struct("AccessKey", { agent: bcs.string(), namespace: bcs.string() });
export const AccessField = bcs.struct("Field", { id: Id, name: AccessKey, value: History });
const Closing = bcs.struct("Closing", { closed_at_ms: bcs.u64(), superseded_at_ms: bcs.option(bcs.u64()) });
export const ClosedField = bcs.struct("Field", { id: Id, name: bcs.u64(), value: Closing });
/** `PolicyCap` and `AnchorCap` have the same layout. */
export const Cap = bcs.struct("Cap", { id: Id, gate: Id });

/** What the id of a gate below the root is derived from. */
export const GateKey = bcs.struct("GateKey", { key: bcs.byteVector() });
/** Move gives a struct without fields one that says nothing. */
export const RootKey = bcs.struct("RootKey", { dummy_field: bcs.bool() });
/** The dynamic field of a gate below the root, with the id of the root. */
export const RootField = bcs.struct("Field", { id: Id, name: RootKey, value: Id });

export const ReceiptKey = bcs.struct("ReceiptKey", {
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  policy_version: bcs.u64(),
});

export const Receipt = bcs.struct("Receipt", {
  id: Id,
  gate: Id,
  agent: bcs.string(),
  blob_id: bcs.string(),
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  all_authorized: bcs.bool(),
  policy_version: bcs.u64(),
  closed_at_ms: bcs.u64(),
  superseded_at_ms: bcs.option(bcs.u64()),
  anchored_at_ms: bcs.u64(),
});

/** What a gate has in a dynamic field of each log. */
export const LogKey = bcs.struct("LogKey", { origin: bcs.string() });
const LastCheckpoint = bcs.struct("LastCheckpoint", { size: bcs.u64(), checkpoint: Id });
export const LogField = bcs.struct("Field", { id: Id, name: LogKey, value: LastCheckpoint });

const tree = { gate: Id, origin: bcs.string(), size: bcs.u64(), root: bcs.byteVector() };
export const Checkpoint = bcs.struct("Checkpoint", { id: Id, ...tree, anchored_at_ms: bcs.u64() });
export const CheckpointAnchored = bcs.struct("CheckpointAnchored", { checkpoint: Id, ...tree });

export const GateMade = bcs.struct("GateMade", { gate: Id, root: Id });

export const AccessChanged = bcs.struct("AccessChanged", {
  gate: Id,
  agent: bcs.string(),
  namespace: bcs.string(),
  allowed: bcs.bool(),
  version: bcs.u64(),
});

export const ReceiptAnchored = bcs.struct("ReceiptAnchored", {
  receipt: Id,
  gate: Id,
  agent: bcs.string(),
  digest: bcs.byteVector(),
  all_authorized: bcs.bool(),
  policy_version: bcs.u64(),
});

export const VersionClosed = bcs.struct("VersionClosed", { gate: Id, version: bcs.u64(), closed_at_ms: bcs.u64() });
export const KeyAdded = bcs.struct("KeyAdded", { gate: Id, public_key: bcs.byteVector(), added_at_ms: bcs.u64() });
export const KeyEnded = bcs.struct("KeyEnded", { gate: Id, public_key: bcs.byteVector(), ended_at_ms: bcs.u64() });

/** The layouts of pure values. */
export const PURE = {
  bytes: bcs.byteVector(),
  string: bcs.string(),
  bool: bcs.bool(),
  u64: bcs.u64(),
  strings: bcs.vector(bcs.string()),
} as const;

const FUNCTIONS = {
  new_gate: { root: "gate", cap: "anchorCap", key: "bytes" },
  use_pseudonyms: { gate: "gate", cap: "policyCap" },
  set_access: { gate: "gate", cap: "policyCap", agent: "string", namespace: "string", allowed: "bool", version: "u64" },
  close_version: { gate: "gate", cap: "policyCap", version: "u64", clock: "clock" },
  add_key: { gate: "gate", cap: "anchorCap", public_key: "bytes", clock: "clock" },
  end_key: { gate: "gate", cap: "anchorCap", public_key: "bytes", clock: "clock" },
  anchor_receipt: {
    gate: "gate",
    cap: "anchorCap",
    agent: "string",
    blob_id: "string",
    digest: "bytes",
    claimed: "strings",
    policy_version: "u64",
    clock: "clock",
  },
  anchor_checkpoint: { gate: "gate", cap: "anchorCap", origin: "string", size: "u64", root: "bytes", clock: "clock" },
} as const;

export type FunctionName = keyof typeof FUNCTIONS;
export type PureType = keyof typeof PURE;
/** The kinds of objects that functions take. */
export type ObjectType = "gate" | "policyCap" | "anchorCap" | "clock";

interface PureValues<U64> {
  readonly bytes: Uint8Array;
  readonly string: string;
  readonly bool: boolean;
  readonly u64: U64;
  readonly strings: readonly string[];
}

/** The pure values that a function takes, by the names of its parameters. */
export type PureArguments<Name extends FunctionName, U64 = bigint> = {
  readonly [P in keyof (typeof FUNCTIONS)[Name] as (typeof FUNCTIONS)[Name][P] extends PureType
    ? P
    : never]: PureValues<U64>[(typeof FUNCTIONS)[Name][P] & PureType];
};

type Parameters = readonly (readonly [name: string, type: PureType | ObjectType])[];

/** The parameters of each function, in their order. */
export const PARAMETERS: ReadonlyMap<string, Parameters> = new Map(
  Object.entries(FUNCTIONS).map(([name, parameters]) => [name, Object.entries(parameters)]),
);

export const isPure = (type: PureType | ObjectType): type is PureType => type in PURE;

/** The index of a name is its abort code. The module adds codes at the end and never renumbers them. */
export const ABORTS = [
  ...(["EWrongGate", "EInvalidAgent", "EInvalidNamespace", "EInvalidBlobId", "EInvalidDigest"] as const),
  ...(["ETooManyClaims", "EUnorderedClaims", "EAlreadyAnchored", "EVersionClosed", "EVersionOutOfOrder"] as const),
  ...(["EVersionNotClosed", "EHistoryCut", "EInvalidKey", "ETooManyKeys", "EKeyEnded", "EUnknownKey"] as const),
  ...(["EGateInUse", "EInvalidGateKey", "EGateExists", "EInvalidOrigin", "ELogNotGrown"] as const),
] as const;

export type AbortName = (typeof ABORTS)[number];

/** Lengths in bytes. `claims`, `changes` (of an entry) and `keys` are counts. */
export const LIMITS = {
  name: 256,
  blobId: 128,
  digest: 32,
  claims: 64,
  changes: 64,
  publicKey: 32,
  gateKey: 32,
  keys: 32,
} as const;

/** The normalized type name. Nodes write addresses in different ways, so compare types only in this form. */
export const typeName = (packageId: string, name: string): string =>
  normalizeStructTag(`${packageId}::${MODULE}::${name}`);
