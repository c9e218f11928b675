import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Check } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import {
  anchored,
  anchoredBytes,
  PACKAGE_ID,
  statuses,
  utf8,
  walrusLike,
  withChain,
} from "#test/support/anchored-receipt.ts";
import { agentIds, namespaces, texts } from "#test/support/arbitraries.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";

const ALL_PASS = {
  object: "pass",
  blob: "pass",
  digest: "pass",
  receipt: "pass",
  agent: "pass",
  claims: "pass",
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

/** Without a receipt of ours on the ledger, nothing else is checked. */
const NOT_CHECKED = {
  blob: "unknown",
  digest: "unknown",
  receipt: "unknown",
  agent: "unknown",
  claims: "unknown",
  memory: "unknown",
} as const;
const NO_RECEIPT = { agent: "unknown", memory: "unknown" } as const;

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

  test.each([
    ["true and false", [true, false]],
    ["anything, from elsewhere", ["yes", { by: "whom" }]],
    ["null", [null, null]],
  ])("may say which memories are cited: %s", (_, cited) => {
    // `usedMemories` as they are, each with one more field.
    const { usedMemories } = JSON.parse(new TextDecoder().decode(anchored().blob));
    const more = { usedMemories: usedMemories.map((memory: object, i: number) => ({ ...memory, cited: cited[i] })) };
    expectChecks(anchored({ more }), "verified", {});
    expect(verifyReceipt(anchored({ more })).receipt?.usedMemories.map((memory) => memory.cited)).toEqual(cited);
  });

  test("may have used no memory", () => {
    expectChecks(anchored({ facts: [] }), "verified", { memory: "pass" });
  });

  test("may have used 256 memories with any names, several of them with the same blob", () => {
    const facts = Array.from({ length: 256 }, (_, i) => ({
      namespace: ["__proto__", "constructor", "toString"][i % 3] ?? "",
      content: `Fact ${i % 200}`,
      sourceAgent: "hasOwnProperty",
    }));
    expectChecks(anchored({ agentId: "__proto__", facts }), "verified", { memory: Array(256).fill("pass").join(" ") });
  });

  test("may have fields that the specification does not have", () => {
    const more = { note: ["ü", 1e21, -0.5, null], evidence: { policyVersion: 3 } };
    expectChecks(anchored({ more }), "verified", {});
  });

  test("is verified with short, long and upper-case addresses", () => {
    const good = anchored();
    const type = "0x00000000000000000000000000000000000000000000000000000000000000aB::gate::Receipt";
    const object = { ...good.object, type, objectId: `0x${"0".repeat(62)}0c` };
    expectChecks({ ...good, packageId: "0xAb", receiptId: "0xC", object }, "verified", {});
  });

  test("is verified for any agent, facts and claims", () => {
    const facts = fc.array(fc.record({ namespace: namespaces, content: texts, sourceAgent: agentIds }));
    fc.assert(
      fc.property(agentIds, facts, fc.constantFrom(undefined, walrusLike), (agentId, used, idOf) => {
        const { verdict } = verifyReceipt(anchored({ agentId, facts: used, ...(idOf && { idOf }) }));
        expect(verdict).toBe("verified");
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

  test("fails if it is not frozen", () => {
    expectChecks(withObject({ isFrozen: false }), "failed", { object: "fail", ...NOT_CHECKED });
  });

  test("fails if it cannot be read as a receipt", () => {
    expectChecks(withObject({ receipt: undefined }), "failed", { object: "fail", ...NOT_CHECKED });
  });

  test("fails if it is not the object that was asked for", () => {
    expectChecks(withObject({ objectId: `0x${"7f".repeat(32)}` }), "failed", { object: "fail", ...NOT_CHECKED });
  });

  test("fails if our own package id is not an address, also if the type has the same text", () => {
    const type = "undefined::gate::Receipt";
    expectChecks({ ...withObject({ type }), packageId: "undefined" }, "failed", { object: "fail", ...NOT_CHECKED });
  });
});

describe("the blob", () => {
  const good = anchored();

  test("fails if the store has none, and is unknown if the store does not answer", () => {
    const rest = { digest: "unknown", receipt: "unknown", ...NO_RECEIPT };
    expectChecks({ ...good, blob: "missing" }, "failed", { blob: "fail", ...rest });
    expectChecks({ ...good, blob: "unreachable" }, "unknown", { blob: "unknown", ...rest });
  });

  test("is not read if its bytes are not the ones that were anchored", () => {
    const forged = anchored({ blockedNamespaces: [] });
    const result = verifyReceipt({ ...good, blob: forged.blob });
    expect(statuses(result.checks)).toEqual({ ...ALL_PASS, digest: "fail", ...NO_RECEIPT });
    expect(result.receipt).toBeUndefined();
  });

  test.each([
    ["short", (digest: string) => digest.slice(2)],
    ["long", (digest: string) => `${digest}00`],
    ["prefixed", (digest: string) => `0x${digest}`],
    ["empty", () => ""],
  ])("fails against a digest that is %s", (_, spoil) => {
    const spoiled = withChain(good, { digest: spoil(good.object.receipt.digest) });
    expectChecks(spoiled, "failed", { digest: "fail", ...NO_RECEIPT });
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

describe("the checks of agent, claims and issuer", () => {
  const good = anchored();

  test("fail if the receipt and the ledger name different agents", () => {
    const checks = expectChecks(withChain(good, { agent: "Assistant" }), "failed", { agent: "fail" });
    const compared = { expected: "Assistant", actual: "assistant" };
    expect(checks.find(({ name }) => name === "agent")).toMatchObject({ compared });
  });

  test("fail if a claim was not authorized when the receipt was anchored", () => {
    expectChecks(withChain(good, { allAuthorized: false }), "failed", { claims: "fail" });
  });

  test("say that an empty set of claims shows nothing, and which used namespaces are not claimed", () => {
    const checks = expectChecks(withChain(good, { claimed: [] }), "verified", {});
    expect(sentence(checks, "claims")).toMatch(/^No namespace is claimed.*does not vouch: “diet”, “travel”\.$/);
    const some = verifyReceipt(withChain(good, { claimed: ["diet"] })).checks;
    expect(sentence(some, "claims")).toMatch(/every claimed namespace: “diet”\..*does not vouch: “travel”\.$/);
    expect(sentence(verifyReceipt(good).checks, "claims")).not.toContain("vouch");
  });

  test("list only the first of many claims", () => {
    const claimed = Array.from({ length: 64 }, (_, i) => `namespace-${i}`);
    expect(sentence(verifyReceipt(withChain(good, { claimed })).checks, "claims")).toContain("and 56 more");
  });

  test("fail if the service did not issue the receipt", () => {
    expectChecks(withChain(good, { issued: false }), "failed", { claims: "fail" });
  });
});
