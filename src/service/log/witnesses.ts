// The witnesses of the log (C2SP tlog-witness): what each has cosigned, and cosignatures of new checkpoints.
import { createHash } from "node:crypto";
import { readTextUpTo } from "#core/encoding/read-up-to.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { toBase64 } from "#core/log/base64.ts";
import { cosignedAt, parseCheckpoint, parseSize, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { checkSignature, type NoteKey, parseVkey } from "#core/log/signed-note.ts";
import { policyOfLog, type WitnessPolicy } from "#core/log/witness-policy.ts";

const DEADLINE_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const MOST_TRIES = 3;

interface Submitted {
  readonly note: string;
  readonly size: number;
  consistency(from: number): Promise<readonly Uint8Array[]>;
}

type Witness = WitnessPolicy["witnesses"] extends ReadonlyMap<string, infer W> ? W : never;

/** `text` is a policy, whose lines of logs do not count: the log is ours. */
export function createWitnesses(text: string, vkey: string) {
  const policy = policyOfLog(vkey, text);
  const key = parseVkey(vkey) as NoteKey;
  const witnesses = [...policy.witnesses.values()].filter(({ url }) => url !== undefined);
  /** The size that each has cosigned, as far as we know. */
  const latest = new Map<Witness, number>();

  async function ask({ url = "" }: Witness, path: string, body?: string) {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const request = { signal, redirect: "error" as const, ...(body !== undefined && { method: "POST", body }) };
    const response = await fetch(`${url.replace(/\/$/, "")}/${path}`, request);
    const text = await readTextUpTo(MOST_BYTES, response.body);
    if (text === undefined) throw new Error("A witness has sent too much.");
    return { status: response.status, text };
  }

  /** The line of its cosignature. */
  async function cosign(witness: Witness, { note, size, consistency }: Submitted): Promise<string> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const old = latest.get(witness) ?? 0;
      const proof = (await consistency(old)).map((hash) => `${toBase64(hash)}\n`).join("");
      const { status, text } = await ask(witness, "add-checkpoint", `old ${old}\n${proof}\n${note}`);
      if (status === 200) {
        latest.set(witness, size);
        const own = text.split("\n").find((line) => isCosigned(note + line, witness));
        if (own === undefined) throw new Error("A witness answered without its signature.");
        return `${own}\n`;
      }
      const known = status === 409 ? parseSize(text.trimEnd()) : undefined;
      // Version 1.0 of the protocol says 409 where another root has the size; later ones say 422.
      if (known === undefined || known === old) throw new Error(`A witness refused the checkpoint: ${status}.`);
      // Its word alone would stop the log.
      const seen = known > size ? await shownBy(witness, parseCheckpoint(note)?.origin ?? "") : undefined;
      if (seen !== undefined && seen.size > size) throw behind(size, seen.size);
      if (known > size) throw new Error("A witness names a greater tree, and shows none that we signed.");
      latest.set(witness, known);
    }
    throw new Error("A witness changes its mind.");
  }

  /** The checkpoint of our log that it gives to everyone, if the log has signed that. */
  async function shownBy(witness: Witness, origin: string): Promise<SignedCheckpoint | undefined> {
    const { status, text } = await ask(witness, `${createHash("sha256").update(origin).digest("hex")}/checkpoint`);
    const checkpoint = status === 200 ? parseCheckpoint(text) : undefined;
    const isSigned = checkpoint && checkSignature(checkpoint.note, { ...key, name: origin }) === "valid";
    return isSigned && checkpoint.origin === origin ? checkpoint : undefined;
  }

  const isCosigned = (line: string, { key }: Witness) => {
    const checkpoint = parseCheckpoint(`${line}\n`);
    return checkpoint !== undefined && cosignedAt(checkpoint.note, key) !== undefined;
  };

  return {
    /** The checkpoint with cosignatures, if there are enough of them. A witness that does not answer is left out. */
    async cosign(submitted: Submitted): Promise<string | undefined> {
      const lines = await Promise.allSettled(witnesses.map((witness) => cosign(witness, submitted)));
      const fork = lines.find((line) => line.status === "rejected" && line.reason instanceof PortcullisError);
      if (fork?.status === "rejected") throw fork.reason;
      const note = submitted.note + lines.map((line) => (line.status === "fulfilled" ? line.value : "")).join("");
      const checkpoint = parseCheckpoint(note);
      return checkpoint !== undefined && policy.accepts(checkpoint) ? note : undefined;
    },
    /** Rejects if one of them has cosigned a greater tree than that on record: the database was restored from a backup. */
    async requireNoneAhead(origin: string, size: number): Promise<void> {
      const shown = await Promise.allSettled(witnesses.map((witness) => shownBy(witness, origin)));
      const greatest = Math.max(0, ...shown.map((each) => (each.status === "fulfilled" && each.value?.size) || 0));
      if (greatest > size) throw behind(size, greatest);
    },
  };
}

export const behind = (size: number, published: number) =>
  configurationError(
    `The transparency log on record has ${size} entries, and one of ${published} was published: the database is older than what was published. Set LOG_ORIGIN to another name, to begin a new log that names the last checkpoint on record.`,
  );
