// A witness (C2SP tlog-witness) cosigns the checkpoints of logs, if each tree continues the one that it cosigned before. So
// whoever asks for its cosignature knows that nobody else was shown another tree of the same log.
import { createHash, type KeyObject, sign } from "node:crypto";
import { fromBase64 } from "#core/log/base64.ts";
import type { SignedCheckpoint } from "#core/log/checkpoint.ts";
import { cosignatureOf, cosignedBytes, parseCheckpoint, parseSize } from "#core/log/checkpoint.ts";
import { EMPTY_ROOT, isConsistent, MOST_HASHES, type Tree } from "#core/log/merkle-tree.ts";
import { checkSignature, type NoteKey, signatureLine, signaturesOf } from "#core/log/signed-note.ts";

export interface WitnessReply {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly body: string;
  readonly type?: string;
}

/** The latest checkpoint of each log. */
export interface WitnessState {
  latest(origin: string): string | undefined;
  /** One atomic step, also beside other processes. The checkpoint that `decide` gives is on disk when this returns. */
  update<T>(origin: string, decide: (latest: string | undefined) => { readonly next?: string; readonly outcome: T }): T;
}

export interface WitnessParts {
  readonly key: NoteKey;
  readonly privateKey: KeyObject;
  /** The name of each key is the origin of its log. */
  readonly logs: readonly NoteKey[];
  readonly state: WitnessState;
  readonly now: () => number;
}

export type Witness = ReturnType<typeof createWitness>;

const EMPTY: Tree = { size: 0, root: EMPTY_ROOT };

export function createWitness({ key, privateKey, logs, state, now }: WitnessParts) {
  const originHashes = new Map(logs.map(({ name }) => [createHash("sha256").update(name).digest("hex"), name]));

  function cosign({ note: { text } }: SignedCheckpoint): string {
    const seconds = Math.floor(now() / 1_000);
    return signatureLine(key, cosignatureOf(seconds, sign(null, cosignedBytes(text, seconds), privateKey)));
  }

  return {
    /** `POST <prefix>/add-checkpoint` */
    addCheckpoint(body: string): WitnessReply {
      const asked = parseRequest(body);
      if (asked === undefined) return refusal(400, "The request is malformed.");
      const { oldSize, checkpoint, proof } = asked;
      const keys = logs.filter(({ name }) => name === checkpoint.origin);
      if (keys.length === 0) return refusal(404, "This witness does not know the log.");
      const signers = keys.filter((log) => checkSignature(checkpoint.note, log) === "valid");
      if (signers.length === 0) return refusal(403, "No known key of the log has signed the checkpoint.");
      const next = noteOf(checkpoint, signers);
      const refused = state.update(checkpoint.origin, (latest) => {
        const before = latest === undefined ? EMPTY : requireCheckpoint(latest);
        const outcome = faultOf(before, oldSize, checkpoint, proof);
        const isNew = latest === undefined || checkpoint.size > before.size;
        return { outcome, ...(outcome === undefined && isNew && { next }) };
      });
      // What is on disk by now is what is signed.
      return refused ?? { status: 200, body: cosign(checkpoint) };
    },

    /** `GET <prefix>/<hash of the origin>/checkpoint` */
    latestCheckpoint(originHash: string): WitnessReply {
      const origin = originHashes.get(originHash);
      const latest = origin === undefined ? undefined : state.latest(origin);
      if (latest === undefined) return refusal(404, "This witness has no checkpoint of the log.");
      return { status: 200, body: latest + cosign(requireCheckpoint(latest)) };
    },
  };
}

function parseRequest(body: string) {
  const end = body.indexOf("\n\n");
  const [first = "", ...lines] = body.slice(0, Math.max(0, end)).split("\n");
  const oldSize = first.startsWith("old ") ? parseSize(first.slice("old ".length)) : undefined;
  const proof = lines.map(fromBase64).filter((hash) => hash?.length === EMPTY_ROOT.length);
  const checkpoint = parseCheckpoint(body.slice(end + 2));
  if (oldSize === undefined || checkpoint === undefined || oldSize > checkpoint.size) return undefined;
  const isWhole = proof.length === lines.length && proof.length <= MOST_HASHES;
  return isWhole ? { oldSize, checkpoint, proof: proof as Uint8Array[] } : undefined;
}

function faultOf(latest: Tree, oldSize: number, next: Tree, proof: readonly Uint8Array[]): WitnessReply | undefined {
  if (oldSize !== latest.size) return { status: 409, body: `${latest.size}\n`, type: "text/x.tlog.size" };
  if (isConsistent(latest, next, proof)) return undefined;
  return refusal(422, "The proof does not show that this tree continues the latest one.");
}

/** The checkpoint, with the signatures that were checked. */
function noteOf(checkpoint: SignedCheckpoint, signers: readonly NoteKey[]): string {
  const lines = signers.flatMap((log) => signaturesOf(checkpoint.note, log).map((each) => signatureLine(log, each)));
  return `${checkpoint.note.text}\n${lines.join("")}`;
}

function requireCheckpoint(note: string): SignedCheckpoint {
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) throw new Error("The checkpoint on record is malformed.");
  return checkpoint;
}

const refusal = (status: WitnessReply["status"], sentence: string): WitnessReply => ({ status, body: `${sentence}\n` });
