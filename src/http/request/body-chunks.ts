import { orAfter } from "#async/with-deadline.ts";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { HttpError } from "#http/http-error.ts";
import { bodyTooSlow } from "./json-body.ts";
import { IDLE_DEADLINE_MS, isNdjson } from "./ndjson-body.ts";

/** The body of an NDJSON request as it comes, for one that is too long to be held. */
export function readBodyChunks(request: Request): AsyncIterable<Uint8Array> {
  if (!isNdjson(request))
    throw new HttpError("unsupported-media-type", `Send the export with Content-Type: ${NDJSON_TYPE}.`);
  if (request.body === null) throw new HttpError("malformed-json", "The body is empty; send an export.");
  return chunksOf(request.body);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const read = await orAfter(IDLE_DEADLINE_MS, reader.read(), undefined);
      if (read === undefined) throw bodyTooSlow();
      if (read.done) return;
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
