// Answers in the shapes of Walrus: camelCase JSON, errors with details, and plain text from proxies in front of it.
import type { ServerResponse } from "node:http";
import type { NetworkBlob } from "./blob-network.ts";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

export function plain(status: number, body: string): Answer {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body };
}

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  451: "UNAVAILABLE_FOR_LEGAL_REASONS",
  503: "UNAVAILABLE",
};

export function refusal(code: number, reason: string, message: string): Answer {
  const details = [{ "@type": "ErrorInfo", reason, domain: "storage.walrus.space" }];
  return json(code, { error: { status: STATUSES[code] ?? "UNKNOWN", code, message, details } });
}

export function newlyCreated({ blobId, bytes, objectId, endEpoch, permanent }: NetworkBlob, epoch: number): unknown {
  const storage = { id: `0x${"5".repeat(64)}`, startEpoch: epoch, endEpoch, storageSize: 66_034_000 };
  return {
    newlyCreated: {
      blobObject: {
        id: objectId,
        registeredEpoch: epoch,
        blobId,
        size: bytes.length,
        encodingType: "RS2",
        certifiedEpoch: epoch,
        storage,
        deletable: !permanent,
      },
      resourceOperation: { registerFromScratch: { encodedLength: 66_034_000, epochsAhead: endEpoch - epoch } },
      cost: 132_300,
    },
  };
}

export function alreadyCertified({ blobId, objectId, endEpoch }: NetworkBlob, by: "event" | "object"): unknown {
  const event = { txDigest: "4XQHFa9S324wTzYHF3vsBSwpUZuLpmwTHYMFv9nsttSs", eventSeq: "0" };
  return { alreadyCertified: { blobId, ...(by === "event" ? { event } : { object: objectId }), endEpoch } };
}

export function send(response: ServerResponse, { status, headers, body }: Answer, { half = false } = {}): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "Access-Control-Allow-Origin": "*", ...headers, "Content-Length": bytes.length });
  if (!half) return void response.end(bytes);
  response.flushHeaders();
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
