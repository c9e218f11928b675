// Frozen vectors: what was fetched, with bytes in base64, and the statuses that any implementation must produce.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";

type Bytes = { readonly base64: string } | "missing" | "unreachable";

interface Vector {
  readonly name: string;
  readonly seen: Pick<Observation, "receiptId" | "packageId" | "object"> & {
    readonly blob: Bytes;
    readonly memories: readonly { readonly storeRef: string; readonly blob: Bytes }[];
  };
  readonly verdict: string;
  readonly checks: readonly { readonly name: string; readonly index?: number; readonly status: string }[];
}

const FOLDER = new URL("../vectors/verify/", import.meta.url);

const fetched = (bytes: Bytes): Observation["blob"] =>
  typeof bytes === "string" ? bytes : Uint8Array.from(Buffer.from(bytes.base64, "base64"));

for (const file of readdirSync(FOLDER)) {
  const { about, cases } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as {
    readonly about: string;
    readonly cases: readonly Vector[];
  };
  describe(`${file}: ${about}`, () => {
    test.for(cases)("$name: $verdict", ({ seen, verdict, checks }) => {
      const memories = new Map(seen.memories.map(({ storeRef, blob }) => [storeRef, fetched(blob)]));
      const result = verifyReceipt({ ...seen, blob: fetched(seen.blob), memories });
      const statuses = result.checks.map(({ name, index, status }) => ({
        name,
        ...(index !== undefined && { index }),
        status,
      }));
      expect(statuses).toEqual(checks);
      expect(result.verdict).toBe(verdict);
    });
  });
}
