// Requests with an Idempotency-Key: the first one is carried out, and a repeat gets what it made, or a problem that
// names it. An answer is made again, because its text is not kept. A lease ends soon after a crash; then, or after a
// failure, the key may be used again, and what is made twice is an answer or a key that nobody saw: the rest is
// idempotent.
import { createHmac, randomBytes } from "node:crypto";
import { canonicalJsonWithin } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Fact, Memory } from "#core/memory.ts";
import type { HeldRequest, MemoryCipher, RecordStore } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { sharedSecret } from "#service/ids.ts";

interface KeyedRequest {
  readonly identity: string;
  readonly route: string;
  readonly key: string;
  readonly makes: keyof typeof outcomes;
  readonly content: unknown;
  /** Where the body goes to be captured. */
  readonly namespace?: string | undefined;
}

export type Idempotency = ReturnType<typeof createIdempotency>;
type Run = (call: Call) => Promise<unknown>;
export const KEPT_MS = 24 * 3_600_000;
const LEASE_MS = 30_000;
const SECRET_BYTES = 32;
/** As canonical JSON. No request that a route takes has more, and the JSON of one that it refuses may have. */
const LARGEST_REQUEST = 1024 * 1024;

interface Parts {
  readonly records: RecordStore;
  readonly cipher: Pick<MemoryCipher, "digestKey">;
  readonly now: () => Date;
}

export function createIdempotency(tenant: Parts) {
  const { idempotency, namespaces, writeOnce } = tenant.records;
  const secretOnRecord = sharedSecret(writeOnce, "idempotency-secret", SECRET_BYTES);

  /** Keyed, with a key to encrypt by what no copy of the database holds: it confirms no guess of a body. */
  async function digestOf(value: unknown): Promise<string> {
    const text = canonicalJsonWithin(LARGEST_REQUEST, value);
    if (text === undefined) throw requestTooLarge();
    const secret = (await tenant.cipher.digestKey()) ?? (await secretOnRecord());
    return createHmac("sha256", secret).update(text).digest("hex");
  }

  const isEncrypted = async (namespace: string | undefined) =>
    namespace !== undefined && (await namespaces.find(namespace))?.encrypted === true;

  async function begin({ identity, route, key, content, namespace }: KeyedRequest) {
    const held = { id: await digestOf([identity, route, key]), holder: randomBytes(16).toString("hex") };
    // Of what is encrypted no digest is kept. A repeat is compared with the memory itself.
    const digest = (await isEncrypted(namespace)) ? "" : await digestOf([identity, route, key, content]);
    const now = tenant.now().getTime();
    const times = { now, leaseEnd: now + LEASE_MS, oldest: now - KEPT_MS };
    return { held, begun: await idempotency.begin({ ...held, digest, ...times }) };
  }

  async function carryOut(held: HeldRequest, { outcomeOf }: Outcome, run: () => Promise<unknown>) {
    // A renewal that fails is made up for by the next one.
    const extend = () => idempotency.extend(held, tenant.now().getTime() + LEASE_MS).catch(() => undefined);
    const lease = setInterval(() => void extend(), LEASE_MS / 3).unref();
    try {
      const value = await run().catch(async (error) => {
        await idempotency.abandon(held).catch(() => undefined);
        throw error;
      });
      await idempotency.complete(held, JSON.stringify(outcomeOf?.(value) ?? {}));
      return value;
    } finally {
      clearInterval(lease);
    }
  }

  return {
    /** Runs `run` for the first request with this key. */
    async once(request: KeyedRequest, call: Call, run: Run): Promise<unknown> {
      const { held, begun } = await begin(request);
      const outcome = outcomes[request.makes];
      switch (begun.kind) {
        case "begun":
          return carryOut(held, outcome, () => run(call));
        case "in-progress":
          throw new PortcullisError(
            "in-progress",
            "The first request with this Idempotency-Key is still in progress. Try again in a moment.",
          );
        case "other-request":
          throw keyReused();
        case "done":
          return outcome.repeat?.(JSON.parse(begun.outcome), request.content, tenant) ?? run(call);
      }
    },
  };
}

function requestTooLarge(): PortcullisError {
  const most = `${LARGEST_REQUEST / 1024} KiB`;
  return new PortcullisError("invalid-request", `The request has more than ${most} as canonical JSON (RFC 8785).`);
}

const STEP = 1_000;

/** Forgets the keys that are older than a day. Answers with how many there were. */
export async function sweepIdempotencyKeys({ records, now }: Omit<Parts, "cipher">): Promise<number> {
  const before = now().getTime() - KEPT_MS;
  let swept = 0;
  for (;;) {
    const step = await records.idempotency.sweep(before, STEP);
    swept += step;
    if (step < STEP) return swept;
  }
}

// What is kept of a request with an Idempotency-Key, by what its route makes, and what a repeat gets. Only ids are kept.

interface Outcome {
  outcomeOf?(value: unknown): Ids;
  /** `content` is that of the repeat. Left out: the work is done again. */
  repeat?(outcome: Ids, content: unknown, tenant: Parts): Promise<unknown>;
}

interface Ids {
  readonly keyId?: string;
  readonly memoryId?: string;
}

const outcomes: Readonly<Record<"answer" | "memory" | "key" | "webhook" | "anchor", Outcome>> = {
  /** Its reply may be lost, and its text is not kept. It is made again, with a receipt of its own, if it may be given now. */
  answer: {},

  memory: {
    outcomeOf: (value) => ({ memoryId: (value as { memory: Memory }).memory.memoryId }),
    async repeat({ memoryId = "" }, content, { records }) {
      const memory: Memory | undefined = await records.memories.find(memoryId);
      if (memory?.encrypted && !isOf(content, memory)) throw keyReused();
      if (memory !== undefined) return { memory };
      throw new PortcullisError("not-found", "The memory that this request captured was forgotten since.");
    },
  },

  /** A key is shown once. */
  key: {
    outcomeOf: (value) => ({ keyId: (value as { record: { keyId: string } }).record.keyId }),
    async repeat({ keyId = "" }) {
      throw new PortcullisError("already-created", "The key was shown to the first request. It is not shown twice.", {
        made: { keyId },
      });
    },
  },

  /** So is the secret of a webhook. */
  webhook: {
    repeat: () =>
      Promise.reject(new PortcullisError("already-created", "The webhook is made. Its secret is shown once.")),
  },

  /** The same receipt has the same anchor. */
  anchor: {},
};

/** Whether a request with this content would capture the same text. */
function isOf(content: unknown, memory: Memory): boolean {
  const { body } = content as { readonly body: Fact };
  return body.content === memory.content && body.namespace === memory.namespace;
}

const keyReused = () =>
  new PortcullisError(
    "idempotency-key-reused",
    "The first request with this Idempotency-Key had another body. A new request needs a new key.",
  );
