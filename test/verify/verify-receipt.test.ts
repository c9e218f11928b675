import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Check } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import {
  anchored,
  anchoredBytes,
  anchoredReceipt,
  goodReceipt,
  PACKAGE_ID,
  plainReceipt,
  statuses,
  utf8,
  walrusLike,
} from "#test/support/anchored-receipt.ts";
import { agentIds, namespaces, texts } from "#test/support/arbitraries.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { type ReceiptJson, SERVICE_KEY } from "#test/support/signed-receipt.ts";

const ALL_PASS = {
  object: "pass",
  blob: "pass",
  digest: "pass",
  receipt: "pass",
  identity: "pass",
  gate: "pass",
  closing: "pass",
  evidence: "pass",
  statements: "pass",
  agent: "pass",
  policy: "pass",
  claims: "pass",
  time: "pass",
  stored: "pass",
  signature: "pass",
  memory: "pass pass",
};

function expectChecks(
  observation: Observation,
  verdict: string,
  expected: Partial<Record<Check["name"], string>>,
): readonly Check[] {
  const result = verifyReceipt(observation);
  expect(statuses(result.checks)).toEqual({ ...ALL_PASS, ...expected });
  expect(result.verdict).toBe(verdict);
  return result.checks;
}

const sentence = (checks: readonly Check[], name: Check["name"]) => checks.find((c) => c.name === name)?.sentence;

/** When the receipts of the test data say that they were answered. */
const ANSWERED_MS = Date.parse("2026-05-01T10:00:00.000Z");

const UNKNOWN = "unknown" as const;
const NO_RECEIPT = {
  evidence: UNKNOWN,
  statements: UNKNOWN,
  agent: UNKNOWN,
  policy: UNKNOWN,
  claims: UNKNOWN,
  time: UNKNOWN,
  stored: UNKNOWN,
  signature: UNKNOWN,
  memory: UNKNOWN,
};
/** Without a receipt of ours on the ledger, nothing else is checked. */
const NOT_CHECKED = {
  identity: UNKNOWN,
  gate: UNKNOWN,
  closing: UNKNOWN,
  blob: UNKNOWN,
  digest: UNKNOWN,
  receipt: UNKNOWN,
  ...NO_RECEIPT,
};

describe("an anchored receipt", () => {
  test("is verified, with a check and a sentence for each part", () => {
    const checks = expectChecks(anchored(), "verified", {});
    expect(checks.filter(({ name }) => name === "memory").map(({ index }) => index)).toEqual([0, 1]);
    expect(checks.every((check) => /^[^a-z]|^blake/.test(check.sentence) && check.sentence.endsWith("."))).toBe(true);
  });

  test("is returned together with the ledger's receipt", () => {
    const good = anchored();
    const { receipt, chain } = verifyReceipt(good);
    expect(sortedJson(receipt)).toBe(new TextDecoder().decode(good.blob));
    expect(chain).toEqual(good.object.receipt);
  });

  test("may say which memories are cited, and which were pinned", () => {
    const alter = (receipt: ReceiptJson): ReceiptJson => {
      const marks = [{ cited: true }, { cited: false, pinned: true }];
      return { ...receipt, usedMemories: receipt.usedMemories.map((memory, i) => ({ ...memory, ...marks[i] })) };
    };
    expectChecks(anchored({ alter }), "verified", {});
    expect(verifyReceipt(anchored({ alter })).receipt?.usedMemories.map(({ cited }) => cited)).toEqual([true, false]);
  });

  test("may be one of memories that were recalled, without a model", () => {
    const { "/prompt": _, ...commitments } = goodReceipt().evidence.commitments;
    const evidence = { kind: "recalled", model: null, template: null, commitments };
    expectChecks(anchored({ evidence }), "verified", {});
  });

  test("may list the first 1,000 of its blocked namespaces, with count and digest of all", () => {
    const blockedNamespaces = Array.from({ length: 1_000 }, (_, i) => `n${String(i).padStart(4, "0")}`);
    const alter = (receipt: ReceiptJson) => ({ ...receipt, blockedCount: 1_001, blockedDigest: "5a".repeat(32) });
    expectChecks(anchored({ blockedNamespaces, alter }), "verified", {});
  });

  test("is not verified, and has not failed, if it used no memory: then nothing is claimed", () => {
    expectChecks(anchored({ facts: [] }), "unknown", { memory: "pass", claims: "unknown" });
  });

  test("may have used 256 memories with any names, several of them with the same blob", () => {
    const facts = Array.from({ length: 256 }, (_, i) => ({
      namespace: ["__proto__", "constructor", "toString"][i % 3] ?? "",
      content: `Fact ${i % 200}`,
      sourceAgent: "hasOwnProperty",
    }));
    expectChecks(anchored({ agentId: "__proto__", facts }), "verified", { memory: Array(256).fill("pass").join(" ") });
  });

  test("is judged at the version on the ledger if somebody else keeps the policy there", () => {
    const evidence = { policyVersion: 900, ledgerVersion: 7 };
    const policyHolder = "another" as const;
    const checks = expectChecks({ ...anchored({ evidence }), policyHolder }, "verified", {});
    expect(sentence(checks, "policy")).toContain("Another address than the signer’s keeps that policy");
    // The service may block what that policy allows.
    const claimed = ["diet", "health", "travel"];
    expectChecks({ ...anchored({ evidence, claimed }), policyHolder }, "verified", {});
  });

  test("may have claims beyond what it used, and be answered within five minutes after its anchor", () => {
    expectChecks(anchored({ claimed: ["diet", "sports", "travel"] }), "verified", {});
    const alter = (receipt: ReceiptJson) => ({ ...receipt, createdAt: "2026-05-01T10:05:01.000Z" });
    expectChecks(anchored({ alter }), "verified", {});
  });

  test("says whether the policy was on the ledger before the answer", () => {
    const before = verifyReceipt(anchored()).checks;
    expect(sentence(before, "policy")).toContain("That version was on the ledger before the answer.");
    const after = expectChecks(anchored({ chain: { closedAtMs: 1_777_629_600_000 } }), "verified", {});
    expect(sentence(after, "policy")).toContain("the operator’s word, fixed when the receipt was anchored");
  });

  test("does not say that the policy was there before the answer if it was closed when the receipt was anchored", () => {
    // By the operator's clock, the answer is later than both, within the tolerance.
    const alter = (receipt: ReceiptJson) => ({ ...receipt, createdAt: "2026-05-01T10:05:01.000Z" });
    const at = (closedAtMs: number) => expectChecks(anchored({ alter, chain: { closedAtMs } }), "verified", {});
    expect(sentence(at(1_777_629_601_000), "policy")).not.toContain(
      "That version was on the ledger before the answer.",
    );
    expect(sentence(at(1_777_629_600_999), "policy")).toContain("That version was on the ledger before the answer.");
  });

  test("is verified under an old version if it was anchored before the next one was closed", () => {
    const old = anchored({ evidence: { policyVersion: 1 }, chain: { policyVersion: "1" }, gate: { version: 500 } });
    const checks = expectChecks(old, "verified", {});
    expect(sentence(checks, "policy")).toContain("No later version was in force there then.");
  });

  test("is verified if the next version was closed after the answer, however much later it was anchored", () => {
    const anchoredAtMs = ANSWERED_MS + 400 * 86_400_000;
    for (const supersededAtMs of [ANSWERED_MS, ANSWERED_MS + 1, anchoredAtMs]) {
      const checks = expectChecks(anchored({ chain: { supersededAtMs, anchoredAtMs } }), "verified", {});
      expect(sentence(checks, "policy")).toContain("No later version was in force there then.");
    }
  });

  test("says when its version ended, if that was after the anchor", () => {
    const supersededAtMs = ANSWERED_MS + 86_400_000;
    const checks = expectChecks(anchored({ closing: { supersededAtMs } }), "verified", {});
    const { sentence: said, compared } = checks.find(({ name }) => name === "closing") ?? {};
    expect(said).toMatch(/ended after the anchor, 2026-05-02T10:00:00/);
    expect(compared).toBeUndefined();
  });

  test("is verified if the next version was closed at most 15 minutes before it, and failed if earlier", () => {
    const at = (before: number) =>
      anchored({ chain: { closedAtMs: 1, supersededAtMs: ANSWERED_MS - before }, gate: { version: 8 } });
    const [during, edge] = [1, 15 * 60_000].map((before) => expectChecks(at(before), "verified", {}));
    expect(sentence(during ?? [], "policy")).toContain("within the time that an answer takes");
    expect(sentence(edge ?? [], "policy")).not.toContain("No later version");
    const late = expectChecks(at(15 * 60_000 + 1), "failed", { policy: "fail" });
    expect(sentence(late, "policy")).toContain(
      "A later version of the policy was in force on the ledger when this was answered",
    );
    expect(late.find(({ name }) => name === "policy")?.compared).toEqual({
      expected: "at most 2026-05-01T09:44:59.999Z and 15 minutes",
      actual: "2026-05-01T10:00:00.000Z",
    });
  });

  test("needs a gate that has closed the next version, too, if the receipt tells of one", () => {
    const chain = { supersededAtMs: ANSWERED_MS };
    expectChecks(anchored({ chain, gate: { version: 8 } }), "verified", {});
    expectChecks(anchored({ chain, gate: { version: 7 } }), "unknown", {
      gate: UNKNOWN,
      closing: UNKNOWN,
      signature: UNKNOWN,
    });
    expectChecks(anchored({ gate: { version: 7 } }), "verified", {});
  });

  test("is verified although its key has ended since", () => {
    const key = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1 };
    expectChecks(anchored({ gate: { keys: [{ ...key, endedAtMs: 1_777_629_601_001 }] } }), "verified", {});
  });

  test("of somebody else may have fields that the specification does not have, and shows less", () => {
    const seen = anchoredReceipt({ ...plainReceipt(), note: ["ü", 1e21, -0.5, null] });
    expectChecks(seen, "unknown", { evidence: UNKNOWN, policy: UNKNOWN, signature: UNKNOWN });
    const local = anchoredReceipt({ ...plainReceipt(), createdAt: "2026-05-01T10:00:00" });
    expectChecks(local, "unknown", { evidence: UNKNOWN, policy: UNKNOWN, signature: UNKNOWN, time: UNKNOWN });
  });

  test("is verified with addresses in upper case and without leading zeros", () => {
    const good = anchored();
    const [address = "", ...name] = good.object.type.split("::");
    const type = [`0x${address.slice(2).toUpperCase()}`, ...name].join("::");
    const object = { ...good.object, type, objectId: `0x${good.receiptId.slice(2).toUpperCase()}` };
    expectChecks({ ...good, packageId: `0x${"AB".repeat(32)}`, object }, "verified", {});
  });

  test("is verified for any agent, facts and claims", () => {
    const facts = fc.array(fc.record({ namespace: namespaces, content: texts, sourceAgent: agentIds }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(agentIds, facts, fc.constantFrom(undefined, walrusLike), (agentId, used, idOf) => {
        const { verdict } = verifyReceipt(
          anchored({ agentId, facts: used, blockedNamespaces: [], ...(idOf && { idOf }) }),
        );
        expect(verdict).toBe(used.length === 0 ? "unknown" : "verified");
      }),
    );
  });
});

describe("the object", () => {
  const good = anchored();
  const withObject = (changes: object): Observation => ({ ...good, object: { ...good.object, ...changes } });

  test("fails if the ledger has none", () => {
    expectChecks({ ...good, object: "missing" }, "failed", { object: "fail", ...NOT_CHECKED });
  });

  test("is unknown if the ledger does not answer", () => {
    expectChecks({ ...good, object: "unreachable" }, "unknown", { object: "unknown", ...NOT_CHECKED });
  });

  test.each([
    ["of another package", `0x${"ba".repeat(32)}::gate::Receipt`],
    ["of a package whose address ends like ours", `0x${"ab".repeat(31)}::gate::Receipt`],
    ["with an address that is too long", `0x00${"ab".repeat(32)}::gate::Receipt`],
    ["without 0x", `${"ab".repeat(32)}::gate::Receipt`],
    ["of another module", `${PACKAGE_ID}::gate2::Receipt`],
    ["in another case", `${PACKAGE_ID}::Gate::receipt`],
    ["of another type of ours", `${PACKAGE_ID}::gate::PolicyCap`],
    ["with type arguments", `${PACKAGE_ID}::gate::Receipt<u8>`],
    ["with our type as an argument", `0x2::dynamic_field::Field<u64, ${PACKAGE_ID}::gate::Receipt>`],
    ["with a further part", `${PACKAGE_ID}::gate::Receipt::x`],
    ["with a line end", `${PACKAGE_ID}::gate::Receipt\n`],
    ["that is a package", "package"],
    ["that is empty", ""],
  ])("fails if it has a type %s", (_, type) => {
    expectChecks(withObject({ type }), "failed", { object: "fail", ...NOT_CHECKED });
  });

  test("fails if our own package id is not an address, also if the type has the same text", () => {
    const type = "undefined::gate::Receipt";
    expectChecks({ ...withObject({ type }), packageId: "undefined" }, "failed", { object: "fail", ...NOT_CHECKED });
  });
});

describe("the blob", () => {
  const good = anchored();

  test("fails if the store has none, and is unknown if the store does not answer", () => {
    const rest = { digest: UNKNOWN, receipt: UNKNOWN, ...NO_RECEIPT };
    expectChecks({ ...good, blob: "missing" }, "failed", { blob: "fail", ...rest });
    expectChecks({ ...good, blob: "unreachable" }, "unknown", { blob: "unknown", ...rest });
  });

  test("is not read if its bytes are not the ones that were anchored", () => {
    const forged = anchored({ blockedNamespaces: [] });
    const result = verifyReceipt({ ...good, blob: forged.blob });
    expect(statuses(result.checks)).toEqual({ ...ALL_PASS, digest: "fail", ...NO_RECEIPT });
    expect(result.receipt).toBeUndefined();
  });

  const text = new TextDecoder().decode(good.blob);
  test.each([
    ["indented", JSON.stringify(JSON.parse(text), null, 2)],
    ["in another order", JSON.stringify({ usedMemories: [], ...JSON.parse(text) })],
    ["with a line end after it", `${text}\n`],
    ["with a byte order mark", `\ufeff${text}`],
    ["with a duplicate key", text.replace("{", '{"agentId":"companion",')],
    ["with an escaped character that needs no escape", text.replace("Fish", "\\u0046ish")],
    ["with a number that is not in its shortest form", text.replace("{", '{"a":1.0,')],
    ["with a number that is not finite", text.replace("{", '{"a":1e400,')],
    ["with a lone surrogate", text.replace("{", '{"a":"\\ud800",')],
    ["nested deeply", text.replace("{", `{"a":${"[".repeat(40)}${"]".repeat(40)},`)],
    ["nested very deeply", text.replace("{", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)},`)],
    ["too large", text.replace("{", `{"a":"${"a".repeat(600_000)}",`)],
    ["cut off", text.slice(0, -1)],
    ["empty", ""],
    ["not a receipt", '{"agentId":"assistant"}'],
    ["a list", "[]"],
    ["null", "null"],
  ])("fails if it is %s, although its digest is the one on the ledger", (_, spoiled) => {
    const observation = anchoredBytes(utf8(spoiled), { claimed: ["diet"], memories: good.memories });
    expectChecks(observation, "failed", { receipt: "fail", ...NO_RECEIPT });
    expect(verifyReceipt(observation).checks.flatMap(({ code }) => code ?? [])).toContain("receipt-malformed");
  });

  test("fails if it is not UTF-8", () => {
    const observation = anchoredBytes(
      Buffer.concat([good.blob.subarray(0, 40), Buffer.from([0xff]), good.blob.subarray(40)]),
    );
    expectChecks(observation, "failed", { receipt: "fail", ...NO_RECEIPT });
  });

  test("is shown from the point where it leaves the canonical form", () => {
    const checks = verifyReceipt(anchoredBytes(utf8(`${text}\n`))).checks;
    expect(checks.find(({ name }) => name === "receipt")?.compared).toEqual({ expected: "(end)", actual: "\n" });
  });
});

describe("what a reader trusts", () => {
  const good = anchored();
  const verifiedBy = (trusted: Observation["trusted"] & object) => {
    const { checks, verdict } = verifyReceipt({ ...good, trusted });
    const [check] = checks.filter(({ name }) => name === "trust");
    return [verdict, check?.status, check?.code];
  };
  const { keyId } = SERVICE_KEY;
  const other = `0x${"ac".repeat(32)}`;

  test("is no check if nothing is named", () => {
    expect(verifiedBy({})).toEqual(["verified", undefined, undefined]);
  });

  test("passes if package, gate and key are the same", () => {
    const trusted = { packageId: PACKAGE_ID, gateId: good.object.receipt.gate, keyIds: ["00", keyId] };
    expect(verifiedBy(trusted)).toEqual(["verified", "pass", undefined]);
  });

  test("fails for another package or gate, and is unknown for another key, which may be a new one", () => {
    expect(verifiedBy({ packageId: other })).toEqual(["failed", "fail", "trusted-package-differs"]);
    expect(verifiedBy({ gateId: other })).toEqual(["failed", "fail", "trusted-gate-differs"]);
    expect(verifiedBy({ keyIds: [] })).toEqual(["unknown", "unknown", "trusted-key-differs"]);
    expect(verifiedBy({ keyIds: ["00"] })).toEqual(["unknown", "unknown", "trusted-key-differs"]);
  });
});

test("a sentence lists only the first of many claims", () => {
  const claimed = [...Array.from({ length: 62 }, (_, i) => `a${String(i).padStart(2, "0")}`), "diet", "travel"];
  expect(sentence(verifyReceipt(anchored({ claimed })).checks, "claims")).toContain("and 56 more");
});
