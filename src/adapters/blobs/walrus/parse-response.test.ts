// Replies that the stand-in does not give.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReadResponse, parseStoreResponse } from "./parse-response.ts";

const ID = "M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk";
const OBJECT = `0x${"a".repeat(64)}`;
const CAUSE = new Error("UND_ERR_SOCKET");

const complete = (body: unknown, status = 200) =>
  ({ kind: "complete", status, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)) }) as const;
const truncated = (body: string) =>
  ({ kind: "truncated", status: 200, body: Buffer.from(body), cause: CAUSE }) as const;

describe("the answer to a store", () => {
  const event = { txDigest: "x", eventSeq: "0" };
  test.each([
    [{ newlyCreated: { blobObject: { blobId: ID } } }, { blobId: ID }],
    [
      { newlyCreated: { blobObject: { blobId: ID, id: OBJECT, storage: { endEpoch: 7 } } } },
      { blobId: ID, objectId: OBJECT, endEpoch: 7 },
    ],
    [{ newlyCreated: { blobObject: { blobId: ID, id: "javascript:", storage: { endEpoch: "7" } } } }, { blobId: ID }],
    [{ alreadyCertified: { blobId: ID, event, endEpoch: 9 } }, { blobId: ID, endEpoch: 9 }],
    [{ alreadyCertified: { blobId: ID, object: OBJECT, endEpoch: 9 } }, { blobId: ID, endEpoch: 9, objectId: OBJECT }],
  ])("succeeds with a blob id: %j", (body, value) => {
    expect(parseStoreResponse(complete(body))).toEqual({ kind: "ok", value });
  });

  test.each([
    [{ error: { blobId: ID, failurePhase: "store", errorMsg: "no" } }],
    [{ error: {}, newlyCreated: { blobObject: { blobId: ID } } }],
    [{ newlyCreated: { blobObject: { blobId: "" } } }],
    [{ newlyCreated: { blobObject: { blobId: "A".repeat(129) } } }],
    [{ newlyCreated: { blobObject: { blobId: `../${ID.slice(3)}` } } }],
    [{ newlyCreated: { blobObject: { blobId: [ID] } } }],
    [{ new_created: { blob_object: { blob_id: ID } } }],
    [{ markedInvalid: { blobId: ID, event } }],
    ['{"__proto__":{"alreadyCertified":{"blobId":"x"}}}'],
    ["[".repeat(60_000)],
    ["null"],
    ["<html>"],
    [""],
  ])("fails without a blob id, and is not retried: %.60j", (body) => {
    expect(parseStoreResponse(complete(body)).kind).toBe("failed");
  });

  test("is retried after a failure, but not when it says that the blob is certified", () => {
    expect(parseStoreResponse(truncated("")).kind).toBe("retry");
    expect(parseStoreResponse(truncated('{"newl')).kind).toBe("retry");
    expect(parseStoreResponse(truncated('{"newlyCreated":{"blo')).kind).toBe("failed");
    expect(parseStoreResponse(truncated('{"alreadyCertified":')).kind).toBe("failed");
    expect(parseStoreResponse(complete({ alreadyCertified: { blobId: ID } }, 502)).kind).toBe("failed");
    expect(parseStoreResponse(complete({}, 502)).kind).toBe("retry");
  });

  test("never throws, whatever the body and the status are", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 200, max: 599 }), (body, status) => {
        expect(parseStoreResponse(complete(body, status)).kind).toMatch(/^(?:failed|retry)$/);
        expect(parseReadResponse(complete(body, status)).kind).toBe(
          status < 300 ? "ok" : status === 404 ? "absent" : status === 429 || status >= 500 ? "retry" : "failed",
        );
      }),
    );
  });
});
