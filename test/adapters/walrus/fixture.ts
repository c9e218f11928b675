// For the tests of this folder: two stand-ins, of which the second is another aggregator, put right after each test.
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type WalrusOptions, walrusBlobs } from "#adapters/blobs/walrus/index.ts";
import { PortcullisError } from "#core/errors.ts";
import { startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/index.ts";

/** What a busy machine may take to notice that time is up. */
export const BUSY_MS = 250;
export const PATIENCE = { storeMs: 1_500, readMs: 600, storePauseMs: 10, readPauseMs: 10 };
export const BYTES = Buffer.from('{"content":"peanuts"}');
/** A port on which nobody listens. */
export const NOWHERE = "http://127.0.0.1:1";

export let walrus: WalrusStandIn;
export let second: WalrusStandIn;

export function standInsForTests(): void {
  beforeAll(async () => {
    [walrus, second] = await Promise.all([startWalrusStandIn(), startWalrusStandIn()]);
  });
  afterAll(() => Promise.all([walrus.close(), second.close()]));
  afterEach(() => {
    for (const each of [walrus, second]) {
      each.knobs.clear();
      each.seen.clear();
    }
  });
}

export function storeOn(options: Partial<WalrusOptions> = {}) {
  const { publisherUrl: publisher, aggregatorUrl } = walrus;
  return walrusBlobs({ publisher, aggregators: [aggregatorUrl], patience: PATIENCE, ...options });
}

/** Its value, or its message when it is an error of ours. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error) => {
    expect(error).toBeInstanceOf(PortcullisError);
    expect(error.code).toBe("blob-store-failed");
    return error.message;
  });
}

export async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await work, ms: performance.now() - start };
}
