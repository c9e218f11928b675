// Two stand-ins for the tests of this folder, reset after each test. The second one serves as another aggregator.
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type WalrusOptions, walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { PortcullisError } from "#core/errors.ts";
import { startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

/** Deadlines that no busy machine reaches, and short pauses. Tests of deadlines use `atDeadline`. */
export const TIMEOUTS = { storeMs: 60_000, readMs: 30_000, storePauseMs: 5, readPauseMs: 5 };
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
      each.traffic.clear();
    }
  });
}

export function storeOn(options: Partial<WalrusOptions> = {}) {
  const { publisherUrl: publisher, aggregatorUrl } = walrus;
  return walrusBlobs({ publisher, aggregators: [aggregatorUrl], timeouts: TIMEOUTS, ...options });
}

/** The value, or the message of an error of ours. */
export async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error) => {
    expect(error).toBeInstanceOf(PortcullisError);
    expect(error.code).toBe("blob-store-failed");
    return error.message;
  });
}
