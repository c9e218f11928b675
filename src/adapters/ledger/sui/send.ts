// Sends a signed transaction until it is known what became of it. Sending the same bytes twice is harmless; building
// other bytes while the first may still execute is not. So whenever it is not certain, the chain is asked for the
// digest, and then the same bytes are sent again.
import { type CoreClient, type SuiClientTypes, TransactionError } from "@mysten/sui/client";
import { PortcullisError } from "#core/errors.ts";
import type { SignedTransaction } from "#ports.ts";

/** The gate tells of each anchor with an event; of the effects only the status matters, which always comes. */
const INCLUDE = { events: true } as const;

export type Executed = SuiClientTypes.TransactionResult<typeof INCLUDE>;

/** Either it has executed, or it never will, because objects that it names have moved on or it was refused. */
export type Fate =
  | { readonly kind: "executed"; readonly result: Executed }
  | { readonly kind: "stale" }
  | { readonly kind: "refused"; readonly error: unknown };

export interface Patience {
  /** For one call. */
  readonly callMs: number;
  /** For all tries together. */
  readonly totalMs: number;
  readonly pauseMs: number;
}

/** Throws `ledger-timeout` when it is still not known after all tries; the transaction may yet execute. */
export async function settle(client: CoreClient, signed: SignedTransaction, patience: Patience): Promise<Fate> {
  const deadline = performance.now() + patience.totalMs;
  for (;;) {
    try {
      return { kind: "executed", result: await execute(client, signed, patience.callMs) };
    } catch (error) {
      const found = await lookUp(client, signed.txDigest, patience.callMs).catch(() => undefined);
      if (found !== undefined) return { kind: "executed", result: found };
      const certain = fateOf(error);
      if (certain !== undefined) return certain;
      if (performance.now() + patience.pauseMs >= deadline) {
        throw new PortcullisError(
          "ledger-timeout",
          "The ledger has not answered. The anchor is on record; ask again.",
          {
            cause: error,
          },
        );
      }
    }
    await pause(patience.pauseMs);
  }
}

function execute(client: CoreClient, { bytes, signature }: SignedTransaction, ms: number): Promise<Executed> {
  return within(ms, (signal) =>
    client.executeTransaction({ transaction: bytes, signatures: [signature], include: INCLUDE, signal }),
  );
}

/** What the chain has under the digest, or undefined when it has nothing. */
async function lookUp(client: CoreClient, digest: string, ms: number): Promise<Executed | undefined> {
  try {
    return await within(ms, (signal) => client.getTransaction({ digest, include: INCLUDE, signal }));
  } catch (error) {
    if (error instanceof TransactionError) return undefined;
    throw error;
  }
}

// Statuses of gRPC with which a validator says no. All others (unavailable, deadline, unknown, a broken connection)
// leave open whether the transaction has executed.
const SAYS_NO = new Set(["INVALID_ARGUMENT", "FAILED_PRECONDITION", "ABORTED", "NOT_FOUND", "PERMISSION_DENIED"]);
const OBJECTS_MOVED_ON = /version|rebuil[dt]|unavailable for consumption|locked|reserved for another|equivocat/i;

function fateOf(error: unknown): Fate | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!SAYS_NO.has(code)) return undefined;
  return OBJECTS_MOVED_ON.test((error as Error).message) ? { kind: "stale" } : { kind: "refused", error };
}

/** A client may ignore the signal; the deadline holds all the same. */
export async function within<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([call(signal), late]);
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
