import type { ResponseWriter } from "#http/answer/response-writer.ts";

/**
 * Looks like the response of a route of its own. What the route's handler sends goes to `give`, whose promise resolves
 * when the real response, which carries it, has left. So a handler that sends behind a fence holds the fence that long, and
 * when the fence is lost, it cuts the real connection.
 */
export function givingResponse(response: ResponseWriter, give: (reply: unknown) => Promise<void>): ResponseWriter {
  let hasBegun = false;
  return {
    ...response,
    hasBegun: () => hasBegun,
    isClosed: () => hasBegun || response.isClosed(),
    send({ body }) {
      hasBegun = true;
      return give(JSON.parse(String(body)));
    },
    // Pieces would have to be collected, and those that left their fence could be revoked before the last one came.
    begin: refusePieces,
    write: refusePieces,
    end: refusePieces,
  };
}

function refusePieces(): never {
  throw new Error("A reply in pieces cannot be given as one message.");
}
