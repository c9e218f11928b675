// Requests with an Idempotency-Key: the first one is carried out, and a repeat gets what the first one made, or a problem
// that names it. While the first is in progress its process holds a lease, which ends soon after a crash. A request that
// failed made nothing that its caller knows of, so its key may be used again.
//
// After a crash between the work and its record, the key may be used again too: then an answer is made twice, a key is
// made that nobody has seen, and a memory or an anchor is found again, because those are idempotent by themselves.
import { createHmac, randomBytes } from "node:crypto";
import { canonicalJsonWithin } from "#core/encoding/bounded-canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import type { HeldRequest } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { type Outcomes, outcomes } from "./outcomes.ts";

export interface KeyedRequest {
  /** Of the caller. */
  readonly identity: string;
  readonly route: string;
  readonly key: string;
  /** What the route makes. */
  readonly makes: keyof Outcomes;
  /** Parameters and body. */
  readonly content: unknown;
}

export interface Idempotency {
  /** Runs `run` for the first request with this key, with dependencies that note what it makes. */
  once(request: KeyedRequest, run: (deps: Deps) => Promise<unknown>): Promise<unknown>;
}

/** How long a key is kept. */
export const KEPT_MS = 24 * 3_600_000;
const LEASE_MS = 30_000;
const SECRET_BYTES = 32;
/** As canonical JSON. No request that a route takes has more, and the JSON of one that it refuses may have. */
const LARGEST_REQUEST = 1024 * 1024;

export function createIdempotency(deps: Deps): Idempotency {
  const { idempotency, writeOnce } = deps.records;
  let secret: Promise<Uint8Array> | undefined;

  /** Digests are keyed, so that the table confirms no guess of a body. */
  async function digestOf(value: unknown): Promise<string> {
    const text = canonicalJsonWithin(LARGEST_REQUEST, value);
    if (text === undefined) throw requestTooLarge();
    secret ??= writeOnce.putIfAbsent("idempotency-secret", randomBytes(SECRET_BYTES));
    try {
      return createHmac("sha256", await secret)
        .update(text)
        .digest("hex");
    } catch (error) {
      secret = undefined;
      throw error;
    }
  }

  async function begin({ identity, route, key, content }: KeyedRequest) {
    const held = { id: await digestOf([identity, route, key]), holder: randomBytes(16).toString("hex") };
    const digest = await digestOf([held.id, content]);
    const now = deps.now().getTime();
    const times = { now, leaseEnd: now + LEASE_MS, oldest: now - KEPT_MS };
    return { held, begun: await idempotency.begin({ ...held, digest, ...times }) };
  }

  function keepLease(held: HeldRequest): { end(): void } {
    // A renewal that fails is made up for by the next one.
    const extend = () => idempotency.extend(held, deps.now().getTime() + LEASE_MS).catch(() => undefined);
    const timer = setInterval(() => void extend(), LEASE_MS / 3).unref();
    return { end: () => clearInterval(timer) };
  }

  async function carryOut(held: HeldRequest, makes: keyof Outcomes, run: (deps: Deps) => Promise<unknown>) {
    const { noting, outcomeOf } = outcomes[makes](deps);
    const lease = keepLease(held);
    try {
      const value = await run(noting).catch(async (error) => {
        await idempotency.abandon(held).catch(() => undefined);
        throw error;
      });
      await idempotency.complete(held, JSON.stringify(outcomeOf(value)));
      return value;
    } finally {
      lease.end();
    }
  }

  return {
    async once(request, run) {
      const { held, begun } = await begin(request);
      switch (begun.kind) {
        case "begun":
          return carryOut(held, request.makes, run);
        case "in-progress":
          throw new PortcullisError("in-progress", "The first request with this Idempotency-Key is not done yet.");
        case "other-request":
          throw new PortcullisError(
            "idempotency-key-reused",
            "The first request with this Idempotency-Key had another body. A new request needs a new key.",
          );
        case "done":
          return outcomes[request.makes](deps).repeat(JSON.parse(begun.outcome), run);
      }
    },
  };
}

function requestTooLarge(): PortcullisError {
  const most = `${LARGEST_REQUEST / 1024} KiB`;
  return new PortcullisError("invalid-request", `The request has more than ${most} as canonical JSON (RFC 8785).`);
}
