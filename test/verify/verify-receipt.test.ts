import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "#core/verify/check.ts";
import { type Seen, verifyReceipt } from "#core/verify/verify-receipt.ts";
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
  issued: "pass",
  memory: "pass pass",
};

function expectChecks(seen: Seen, verdict: string, expected: Partial<Record<Check["name"], string>>): readonly Check[] {
  const verified = verifyReceipt(seen);
  expect(statuses(verified.checks)).toEqual({ ...ALL_PASS, ...expected });
  expect(verified.verdict).toBe(verdict);
  return verified.checks;
}

const sentence = (checks: readonly Check[], name: Check["name"]) => checks.find((c) => c.name === name)?.sentence;

/** Without an object that counts, nothing else is looked at. */
const NOTHING = {
  blob: "unknown",
  digest: "unknown",
  receipt: "unknown",
  agent: "unknown",
  claims: "unknown",
  issued: "unknown",
  memory: "unknown",
} as const;
const NO_RECEIPT = { agent: "unknown", memory: "unknown" } as const;

describe("a receipt that was anchored", () => {
  it("is verified, each check on its own", () => {
    const checks = expectChecks(anchored(), "verified", {});
    expect(checks.filter(({ name }) => name === "memory").map(({ index }) => index)).toEqual([0, 1]);
    expect(checks.every((check) => /^[^a-z]|^blake/.test(check.sentence) && check.sentence.endsWith("."))).toBe(true);
  });

  it("is given back with what the ledger says", () => {
    const good = anchored();
    const { receipt, chain } = verifyReceipt(good);
    expect(sortedJson(receipt)).toBe(new TextDecoder().decode(good.blob));
    expect(chain).toEqual(good.object.receipt);
  });

  it("may have used no memory", () => {
    expectChecks(anchored({ facts: [] }), "verified", { memory: "pass" });
  });

  it("may have used 256 memories, several of them with one blob, with any names", () => {
    const facts = Array.from({ length: 256 }, (_, i) => ({
      namespace: ["__proto__", "constructor", "toString"][i % 3] ?? "",
      content: `Fact ${i % 200}`,
      sourceAgent: "hasOwnProperty",
    }));
    expectChecks(anchored({ agentId: "__proto__", facts }), "verified", { memory: Array(256).fill("pass").join(" ") });
  });

  it("keeps fields that the specification does not have", () => {
    const more = { note: ["ü", 1e21, -0.5, null], evidence: { policyVersion: 3 } };
    expectChecks(anchored({ more }), "verified", {});
  });

  it("is verified with short, long and upper-case addresses", () => {
    const good = anchored();
    const type = "0x00000000000000000000000000000000000000000000000000000000000000aB::gate::Receipt";
    const object = { ...good.object, type, objectId: `0x${"0".repeat(62)}0c` };
    expectChecks({ ...good, packageId: "0xAb", receiptId: "0xC", object }, "verified", {});
  });

  it("is verified for any agent, facts and claims", () => {
    const facts = fc.array(fc.record({ namespace: namespaces, content: texts, sourceAgent: agentIds }));
    fc.assert(
      fc.property(agentIds, facts, fc.constantFrom(undefined, walrusLike), (agentId, told, idOf) => {
        const { verdict } = verifyReceipt(anchored({ agentId, facts: told, ...(idOf && { idOf }) }));
        expect(verdict).toBe("verified");
      }),
    );
  });
});

describe("the object", () => {
  const good = anchored();
  const withObject = (changes: object): Seen => ({ ...good, object: { ...good.object, ...changes } });

  it("fails when there is none", () => {
    expectChecks({ ...good, object: "missing" }, "failed", { object: "fail", ...NOTHING });
  });

  it("is unknown when the ledger does not answer", () => {
    expectChecks({ ...good, object: "unreachable" }, "unknown", { object: "unknown", ...NOTHING });
  });

  it.each([
    ["of another package", `0x${"ba".repeat(32)}::gate::Receipt`],
    ["of a package whose address ends like ours", `0x${"ab".repeat(31)}::gate::Receipt`],
    ["with an address too long", `0x00${"ab".repeat(32)}::gate::Receipt`],
    ["without 0x", `${"ab".repeat(32)}::gate::Receipt`],
    ["of another module", `${PACKAGE_ID}::gate2::Receipt`],
    ["in other letters", `${PACKAGE_ID}::Gate::receipt`],
    ["of another type of ours", `${PACKAGE_ID}::gate::PolicyCap`],
    ["with type arguments", `${PACKAGE_ID}::gate::Receipt<u8>`],
    ["with our type as an argument", `0x2::dynamic_field::Field<u64, ${PACKAGE_ID}::gate::Receipt>`],
    ["with more behind it", `${PACKAGE_ID}::gate::Receipt::x`],
    ["with a line end", `${PACKAGE_ID}::gate::Receipt\n`],
    ["that is a package", "package"],
    ["that is empty", ""],
  ])("fails when it has a type %s", (_, type) => {
    expectChecks(withObject({ type }), "failed", { object: "fail", ...NOTHING });
  });

  it("fails when it is not frozen", () => {
    expectChecks(withObject({ isFrozen: false }), "failed", { object: "fail", ...NOTHING });
  });

  it("fails when it cannot be read as a receipt", () => {
    expectChecks(withObject({ receipt: undefined }), "failed", { object: "fail", ...NOTHING });
  });

  it("fails when it is another one than was asked for", () => {
    expectChecks(withObject({ objectId: `0x${"7f".repeat(32)}` }), "failed", { object: "fail", ...NOTHING });
  });

  it("fails when our own package id is none, also if both are the same nonsense", () => {
    const type = "undefined::gate::Receipt";
    expectChecks({ ...withObject({ type }), packageId: "undefined" }, "failed", { object: "fail", ...NOTHING });
  });
});

describe("the blob", () => {
  const good = anchored();

  it("fails when the store has none", () => {
    const rest = { digest: "unknown", receipt: "unknown", ...NO_RECEIPT };
    expectChecks({ ...good, blob: "missing" }, "failed", { blob: "fail", ...rest });
    expectChecks({ ...good, blob: "unreachable" }, "unknown", { blob: "unknown", ...rest });
  });

  it("does not say what it says when its bytes are not the ones that were anchored", () => {
    const forged = anchored({ blockedNamespaces: [] });
    const verified = verifyReceipt({ ...good, blob: forged.blob });
    expect(statuses(verified.checks)).toEqual({ ...ALL_PASS, digest: "fail", ...NO_RECEIPT });
    expect(verified.receipt).toBeUndefined();
  });

  it.each([
    ["short", (digest: string) => digest.slice(2)],
    ["long", (digest: string) => `${digest}00`],
    ["prefixed", (digest: string) => `0x${digest}`],
    ["empty", () => ""],
  ])("fails against a digest that is %s", (_, spoil) => {
    const spoiled = withChain(good, { digest: spoil(good.object.receipt.digest) });
    expectChecks(spoiled, "failed", { digest: "fail", ...NO_RECEIPT });
  });

  const text = new TextDecoder().decode(good.blob);
  it.each([
    ["indented", JSON.stringify(JSON.parse(text), null, 2)],
    ["in another order", JSON.stringify({ usedMemories: [], ...JSON.parse(text) })],
    ["with a line end after it", `${text}\n`],
    ["with a byte order mark", `\ufeff${text}`],
    ["with a key that comes twice", text.replace("{", '{"agentId":"companion",')],
    ["with another spelling of a character", text.replace("Fish", "\\u0046ish")],
    ["with another spelling of a number", text.replace("{", '{"a":1.0,')],
    ["with a number that is no number", text.replace("{", '{"a":1e400,')],
    ["with half a character", text.replace("{", '{"a":"\\ud800",')],
    ["nested deeply", text.replace("{", `{"a":${"[".repeat(40)}${"]".repeat(40)},`)],
    ["nested very deeply", text.replace("{", `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)},`)],
    ["too large", text.replace("{", `{"a":"${"a".repeat(400_000)}",`)],
    ["cut off", text.slice(0, -1)],
    ["empty", ""],
    ["not a receipt", '{"agentId":"assistant"}'],
    ["a list", "[]"],
    ["null", "null"],
  ])("fails when it is %s, though the digest on the ledger is its own", (_, spoiled) => {
    const seen = anchoredBytes(utf8(spoiled), { claimed: ["diet"], memories: good.memories });
    expectChecks(seen, "failed", { receipt: "fail", ...NO_RECEIPT });
  });

  it("fails when it is not UTF-8", () => {
    const seen = anchoredBytes(Buffer.concat([good.blob.subarray(0, 40), Buffer.from([0xff]), good.blob.subarray(40)]));
    expectChecks(seen, "failed", { receipt: "fail", ...NO_RECEIPT });
  });

  it("shows where it leaves the canonical form", () => {
    const checks = verifyReceipt(anchoredBytes(utf8(`${text}\n`))).checks;
    expect(checks.find(({ name }) => name === "receipt")?.compared).toEqual({ expected: "(end)", actual: "\n" });
  });
});

describe("agent, claims and issued", () => {
  const good = anchored();

  it("fail when the agents differ", () => {
    const checks = expectChecks(withChain(good, { agent: "Assistant" }), "failed", { agent: "fail" });
    const compared = { expected: "Assistant", actual: "assistant" };
    expect(checks.find(({ name }) => name === "agent")).toMatchObject({ compared });
  });

  it("fail when a claim was not authorized then", () => {
    expectChecks(withChain(good, { allAuthorized: false }), "failed", { claims: "fail" });
  });

  it("say that no claims are true of anything, and which namespaces are not claimed", () => {
    const checks = expectChecks(withChain(good, { claimed: [] }), "verified", {});
    expect(sentence(checks, "claims")).toMatch(/^No namespace is claimed.*does not vouch: “diet”, “travel”\.$/);
    const some = verifyReceipt(withChain(good, { claimed: ["diet"] })).checks;
    expect(sentence(some, "claims")).toMatch(/every claimed namespace: “diet”\..*does not vouch: “travel”\.$/);
    expect(sentence(verifyReceipt(good).checks, "claims")).not.toContain("vouch");
  });

  it("stay one sentence with many claims", () => {
    const claimed = Array.from({ length: 64 }, (_, i) => `namespace-${i}`);
    expect(sentence(verifyReceipt(withChain(good, { claimed })).checks, "claims")).toContain("and 56 more");
  });

  it("fail when the service did not issue it", () => {
    expectChecks(withChain(good, { issued: false }), "failed", { issued: "fail" });
  });
});
