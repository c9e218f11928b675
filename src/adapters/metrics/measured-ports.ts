// Decorators: the ports of what is outside the process, with their calls measured. They change nothing else.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { PortcullisError } from "#core/errors.ts";
import type * as ports from "#ports.ts";

export function measuredBlobs(blobs: ports.BlobStore, metrics: Observer): ports.BlobStore {
  const observed = (operation: string) => (seconds: number, outcome: string) =>
    metrics.observe("blobCallDuration", seconds, operation, outcome);
  return {
    ...blobs,
    put: (bytes, options) => measured(() => blobs.put(bytes, options), observed("put")),
    get: (blobId, options) =>
      measured(
        () => blobs.get(blobId, options),
        observed("get"),
        (bytes) => (bytes === undefined ? "missing" : "ok"),
      ),
  };
}

/** Without the wait for a permit: that is the bound around this. */
export function measuredModel(model: ports.LanguageModel, metrics: Observer): ports.LanguageModel {
  const observe = (seconds: number, outcome: string) => metrics.observe("modelCallDuration", seconds, outcome);
  return {
    name: model.name,
    complete: (prompt, options) => measured(() => model.complete(prompt, options), observe),
    completions: model.completions && {
      models: model.completions.models,
      forward: (...call) => measured(async () => model.completions?.forward(...call), observe),
    },
  };
}

/** By operation: the calls of a ledger that are measured. */
const LEDGER_CALLS = {
  "package-id": ["packageId"],
  gate: ["gate", "naming"],
  keys: ["keys"],
  recover: ["recover"],
  sync: ["sync"],
  anchor: ["anchor", "anchorCheckpoint", "anchorChain"],
  drift: ["drift"],
  balance: ["balance"],
  find: ["lastCheckpoint", "find", "policyHolder"],
} as const satisfies Readonly<Record<string, readonly (keyof ports.Ledger)[]>>;

export function measuredLedger(ledger: ports.Ledger, metrics: Observer): ports.Ledger {
  const calls = Object.entries(LEDGER_CALLS).flatMap(([operation, names]) => {
    const observe = (seconds: number, outcome: string) =>
      metrics.observe("ledgerCallDuration", seconds, operation, outcome);
    return names.map((name) => {
      const call = ledger[name] as (...args: unknown[]) => Promise<unknown>;
      return [name, (...args: unknown[]) => measured(() => call(...args), observe)];
    });
  });
  return { ...ledger, ...Object.fromEntries(calls) };
}

export function measuredPolicy(policy: ports.PolicyRecords, metrics: ports.Metrics): ports.PolicyRecords {
  let running = 0;
  metrics.gauge("fenceActions", () => running);
  const secondsSince = (began: number) => (performance.now() - began) / 1_000;

  async function revoking<T>(closes: boolean, changing: Promise<T>): Promise<T> {
    const began = performance.now();
    const changed = await changing;
    if (closes) metrics.observe("revokeDuration", secondsSince(began));
    return changed;
  }

  return {
    ...policy,

    set: (rule, ...rest) => revoking(!rule.allowed, policy.set(rule, ...rest)),
    setAll: (rules, ...rest) =>
      revoking(
        rules.some(({ allowed }) => !allowed),
        policy.setAll(rules, ...rest),
      ),

    async passFence(readSet, action) {
      const asked = performance.now();
      let began: number | undefined;
      let outcome = "failed";
      try {
        const hasRun = await policy.passFence(readSet, (...given) => {
          began = performance.now();
          running += 1;
          return action(...given);
        });
        outcome = hasRun ? "passed" : "withheld";
        return hasRun;
      } finally {
        metrics.add("fencePassages", outcome);
        if (began !== undefined) {
          running -= 1;
          metrics.observe("fenceWait", (began - asked) / 1_000);
          metrics.observe("fenceHold", secondsSince(began));
        }
      }
    },
  };
}

export function measuredReceipts(receipts: ports.ReceiptRecords, metrics: Observer): ports.ReceiptRecords {
  const counted =
    <Given extends unknown[]>(record: (...given: Given) => Promise<void>, state: string) =>
    async (...given: Given) => {
      await record(...given);
      metrics.add("receipts", state);
    };
  return {
    ...receipts,
    begin: counted(receipts.begin, "begun"),
    add: counted(receipts.add, "issued"),
    breakOff: counted(receipts.breakOff, "broken-off"),
    async abandon(begunBefore) {
      const count = await receipts.abandon(begunBefore);
      for (let i = 0; i < count; i++) metrics.add("receipts", "broken-off");
      return count;
    },
  };
}

/** `ok`, the code of one of our errors, `aborted` when the caller gave up, or `failed`. */
function outcomeOf(error: unknown): string {
  if (error instanceof PortcullisError) return error.code;
  return error instanceof Error && error.name === "AbortError" ? "aborted" : "failed";
}

async function measured<T>(
  call: () => Promise<T>,
  observe: (seconds: number, outcome: string) => void,
  outcomeOfResult: (result: T) => string = () => "ok",
): Promise<T> {
  const began = performance.now();
  let outcome = "failed";
  try {
    const result = await call();
    outcome = outcomeOfResult(result);
    return result;
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    observe((performance.now() - began) / 1_000, outcome);
  }
}

type Observer = Pick<ports.Metrics, "add" | "observe">;

export function measuredCommits(metrics: Pick<ports.Metrics, "observe">): OnCommit {
  return (writes, seconds) => {
    metrics.observe("commitWrites", writes);
    metrics.observe("commitDuration", seconds);
  };
}

/** Of the disk that this file is on, in bytes. */
export async function freeSpaceOf(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
