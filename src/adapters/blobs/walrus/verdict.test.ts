// Answers that the stand-in is too well-behaved to give.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readVerdict, storeVerdict } from "./verdict.ts";

const ID = "M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk";
const OBJECT = `0x${"a".repeat(64)}`;
const CAUSE = new Error("UND_ERR_SOCKET");

const answered = (body: unknown, status = 200) =>
  ({ kind: "answered", status, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) }) as const;
const cut = (body: string) => ({ kind: "cut", status: 200, body: Buffer.from(body), cause: CAUSE }) as const;

describe("a store's answer", () => {
  const event = { txDigest: "x", eventSeq: "0" };
  it.each([
    [{ newlyCreated: { blobObject: { blobId: ID } } }, { blobId: ID }],
    [
      { newlyCreated: { blobObject: { blobId: ID, id: OBJECT, storage: { endEpoch: 7 } } } },
      { blobId: ID, objectId: OBJECT, endEpoch: 7 },
    ],
    [{ newlyCreated: { blobObject: { blobId: ID, id: "javascript:", storage: { endEpoch: "7" } } } }, { blobId: ID }],
    [{ alreadyCertified: { blobId: ID, event, endEpoch: 9 } }, { blobId: ID, endEpoch: 9 }],
    [{ alreadyCertified: { blobId: ID, object: OBJECT, endEpoch: 9 } }, { blobId: ID, endEpoch: 9, objectId: OBJECT }],
  ])("with an id is stored: %j", (body, value) => {
    expect(storeVerdict(answered(body))).toEqual({ kind: "has", value });
  });

  it.each([
    [{ error: { blobId: ID, failurePhase: "store", errorMsg: "no" } }],
    [{ error: {}, newlyCreated: { blobObject: { blobId: ID } } }],
    [{ newlyCreated: { blobObject: { blobId: `${ID}A` } } }],
    [{ newlyCreated: { blobObject: { blobId: `../${ID.slice(3)}` } } }],
    [{ newlyCreated: { blobObject: { blobId: [ID] } } }],
    [{ new_created: { blob_object: { blob_id: ID } } }],
    [{ markedInvalid: { blobId: ID, event } }],
    ['{"__proto__":{"alreadyCertified":{"blobId":"x"}}}'],
    ["[".repeat(60_000)],
    ["null"],
    ["<html>"],
    [""],
  ])("without one is a failure, and no reason to try again: %.60j", (body) => {
    expect(storeVerdict(answered(body)).kind).toBe("failed");
  });

  it("that broke off is tried again unless it said that the blob is certified", () => {
    expect(storeVerdict(cut("")).kind).toBe("again");
    expect(storeVerdict(cut('{"newl')).kind).toBe("again");
    expect(storeVerdict(cut('{"newlyCreated":{"blo')).kind).toBe("failed");
    expect(storeVerdict(cut('{"alreadyCertified":')).kind).toBe("failed");
    expect(storeVerdict(answered({ alreadyCertified: { blobId: ID } }, 502)).kind).toBe("failed");
    expect(storeVerdict(answered({}, 502)).kind).toBe("again");
  });

  it("is never more than a verdict, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 200, max: 599 }), (body, status) => {
        expect(storeVerdict(answered(body, status)).kind).toMatch(/^(?:failed|again)$/);
        expect(readVerdict(answered(body, status)).kind).toBe(
          status < 300 ? "has" : status === 404 ? "has-none" : status === 429 || status >= 500 ? "again" : "failed",
        );
      }),
    );
  });
});
