// Forged openings as data: none opens anything, and the check says by its code what is wrong.
import { describe, expect, test } from "vitest";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import { anchored, statuses } from "#test/support/anchored-receipt.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { blobIdOf, digest, sortedJson } from "#test/support/reference-encoding.ts";
import {
  disclosedNames,
  narrowedCase,
  type OpeningJson,
  onPseudonyms,
  openingOf,
  SEED_HEX,
  sealedCase,
  withOpening,
} from "#test/support/sealed-case.ts";
import { saltOf } from "#test/support/signed-receipt.ts";
import { verifyInBrowser } from "#web/pages/verify/verify-in-browser.ts";
import { another } from "./forgeries/forgery.ts";
import { forgedOpenings } from "./forgeries/openings.ts";

test("there are at least 60 forged openings, each with a name of its own", () => {
  expect(forgedOpenings.length).toBeGreaterThanOrEqual(60);
  expect(new Set(forgedOpenings.map(({ name }) => name)).size).toBe(forgedOpenings.length);
});

describe("a forged opening is refused, and opens nothing", () => {
  test.for(forgedOpenings)("$name: $code", async ({ seen, code }) => {
    const { opening } = seen;
    const { signal } = new AbortController();
    const { progress } = await verifyInBrowser(seen.receiptId, fetchersOf(seen), { signal, opening });
    expect(progress.checks.filter(({ name }) => name === "opening")).toMatchObject([{ status: "fail", code }]);
    expect(progress.verdict).toBe("failed");
    expect(progress.sealed?.disclosed).toEqual({});
    expect(progress.receipt).toBeUndefined();
    expect(progress.checks).toEqual(verifyReceipt({ ...seen, memories: new Map() }).checks);
  });
});

describe("an opening that is given for an open receipt", () => {
  const open = anchored();
  const openingCheck = (opening: OpeningJson) => {
    const { verdict, checks } = verifyReceipt(withOpening(open, opening));
    const { status, code } = checks.find(({ name }) => name === "opening") ?? {};
    return { verdict, status, code };
  };

  test("belongs to it if its seed gives the salts that the receipt shows", () => {
    const question = { "/question": "What may I eat?" };
    for (const values of [undefined, question])
      expect(openingCheck({ v: 2, seed: SEED_HEX, ...(values && { values }) })).toEqual({
        verdict: "verified",
        status: "pass",
        code: undefined,
      });
  });

  test.for(["ab".repeat(32), another(SEED_HEX), saltOf("/agentId")])("is refused with the seed %s", (seed) => {
    expect(openingCheck({ v: 2, seed })).toEqual({ verdict: "failed", status: "fail", code: "opening-differs" });
  });
});

describe("honest openings", () => {
  const sealed = sealedCase();
  const verify = (...given: Parameters<typeof withOpening>) => verifyReceipt(withOpening(...given));

  test("of all fields, by the seed or by their salts, verify", () => {
    expect(verify(sealed.seen, sealed.whole).verdict).toBe("verified");
    expect(verify(sealed.seen, openingOf(sealed, Object.keys(sealed.values))).verdict).toBe("verified");
  });

  test("of a recall that was narrowed open its filters, which may also stay sealed", () => {
    const narrow = narrowedCase();
    expect(verify(narrow.seen, narrow.whole).verdict).toBe("verified");
    const { verdict, sealed: view } = verify(narrow.seen, openingOf(narrow, Object.keys(sealed.values)));
    expect([verdict, view?.fields]).toEqual(["verified", Object.keys(narrow.values).length]);
    expect(view?.disclosed).not.toHaveProperty("/filters");
  });

  test("need no blob store when they bring the memories' texts", () => {
    const blobs = [...sealed.seen.memories.values()].map((bytes) => Buffer.from(bytes).toString());
    const alone = { ...sealed.seen, memories: new Map() };
    expect(verify(alone, { ...sealed.whole, blobs }).verdict).toBe("verified");
    const missing = new Map([...sealed.seen.memories.keys()].map((id) => [id, "missing" as const]));
    const { verdict, checks } = verify({ ...sealed.seen, memories: missing }, sealed.whole);
    expect([verdict, statuses(checks).memory]).toEqual(["unknown", "unknown unknown"]);
  });

  test.for(Object.keys(sealed.values))(
    "of %s alone open it and nothing else, and the verdict stays unknown",
    (path) => {
      const { verdict, sealed: view, receipt } = verify(sealed.seen, openingOf(sealed, [path]));
      expect({ verdict, disclosed: view?.disclosed, receipt }).toEqual({
        verdict: "unknown",
        disclosed: { [path]: sealed.values[path] },
        receipt: undefined,
      });
    },
  );

  test("of a sealed memory show that its encrypted blob is the one that was named, and nothing of its text", () => {
    const utf8 = new TextEncoder();
    const sealedBlob = (v: number) => utf8.encode(sortedJson({ alg: "A256GCM", ciphertext: "AAAA", iv: "AAAA", v }));
    const checked = (blob: Uint8Array, named = blob) => {
      const ids = { contentDigest: digest(named), storeRef: blobIdOf(named) };
      const one = sealedCase({
        alter: (receipt) => ({
          ...receipt,
          usedMemories: receipt.usedMemories.map((memory, i) => (i === 0 ? { ...memory, ...ids } : memory)),
        }),
      });
      const memories = new Map([...one.seen.memories, [ids.storeRef, blob]]);
      const { verdict, checks } = verify({ ...one.seen, memories }, one.whole);
      const { status, code, isEncrypted } = checks.find(({ index }) => index === 0) ?? {};
      return { verdict, status, code, isEncrypted };
    };
    expect(checked(sealedBlob(1))).toEqual({ verdict: "verified", status: "pass", code: undefined, isEncrypted: true });
    expect(checked(sealedBlob(2))).toMatchObject({ verdict: "failed", code: "memory-malformed" });
    expect(checked(utf8.encode("not readable"))).toMatchObject({ verdict: "failed", code: "memory-malformed" });
  });

  test("of one memory already show that its namespace was not claimed", () => {
    const unclaimed = sealedCase({ claimed: ["diet"] });
    const { verdict, checks } = verify(unclaimed.seen, openingOf(unclaimed, ["/usedMemories/1/rest"]));
    expect([verdict, statuses(checks).claims]).toEqual(["failed", "fail"]);
  });

  test("of other fields than those of an open form leave the verdict unknown", () => {
    const { verdict } = verify(sealed.seen, openingOf(sealed, ["/question", "/prompt", "/answer"]));
    expect(verdict).toBe("unknown");
  });
});

describe("on a gate with pseudonyms", () => {
  const hidden = onPseudonyms();
  const all = disclosedNames("assistant", "diet", "travel");

  test("agent and claims are unknown without the salts of the names", () => {
    const { verdict, checks } = verifyReceipt(withOpening(hidden.seen, hidden.whole));
    const codes = checks
      .filter(({ status }) => status !== "pass")
      .map(({ name, status, code }) => [name, status, code]);
    expect([verdict, codes]).toEqual([
      "unknown",
      [
        ["agent", "unknown", "agent-pseudonym"],
        ["claims", "unknown", "claims-pseudonyms"],
      ],
    ]);
  });

  test("the salts of all names make them as good as plain ones", () => {
    expect(verifyReceipt(withOpening(hidden.seen, { ...hidden.whole, names: all })).verdict).toBe("verified");
  });

  test.for(["assistant", "diet", "travel"])(
    "names are revealed one at a time: without that of %s nothing is green",
    (name) => {
      const names = all.filter((one) => one.name !== name);
      const { verdict, checks } = verifyReceipt(withOpening(hidden.seen, { ...hidden.whole, names }));
      const unknown = name === "assistant" ? "agent" : "claims";
      expect([verdict, statuses(checks)[unknown]]).toEqual(["unknown", "unknown"]);
    },
  );

  test("a receipt of another agent than the pseudonym's is red", () => {
    const other = onPseudonyms({ agentId: "mallory" });
    const { verdict, checks } = verifyReceipt(withOpening(other.seen, { ...other.whole, names: all }));
    expect([verdict, statuses(checks).agent]).toEqual(["failed", "fail"]);
  });

  test("a used namespace that no pseudonym claims is red", () => {
    const other = onPseudonyms({ claimed: ["diet", "music"] });
    const names = disclosedNames("assistant", "diet", "music");
    const { checks } = verifyReceipt(withOpening(other.seen, { ...other.whole, names }));
    expect(checks.find(({ name }) => name === "claims")).toMatchObject({ status: "fail", code: "used-not-claimed" });
  });

  test("while the gate cannot be read, what may be a pseudonym is unknown and not another agent", () => {
    const { checks } = verifyReceipt(withOpening({ ...hidden.seen, gate: "unreachable" }, hidden.whole));
    expect(statuses(checks)).toMatchObject({ agent: "unknown", claims: "unknown" });
  });
});
