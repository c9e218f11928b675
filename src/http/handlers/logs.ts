// The decision log, in pages or as NDJSON, and the feed of events.
import { NDJSON_TYPE } from "#contract/media-types.ts";
import type { Query } from "#contract/routes.ts";
import { jsonReply } from "#http/answer/reply.ts";
import { sendPieces } from "#http/answer/response-writer.ts";
import { sendEventFeed } from "#http/answer/send-events.ts";
import { wantsNdjson } from "#http/request/accept-header.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { DecisionFilter } from "#ports.ts";
import { allDecisions, type DecisionEntry, listDecisions } from "#service/decisions/list-decisions.ts";
import { deliverEvents } from "#service/events/deliver-events.ts";
import { DEFAULT_PAGE, nextCursor } from "./paging.ts";

export const logs: Pick<Handlers, "listDecisions" | "listenToEvents"> = {
  async listDecisions(deps, { query, principal, signal }, { request, response }) {
    const { limit = DEFAULT_PAGE, cursor } = query;
    const filter = filterOf(query);
    if (wantsNdjson(request)) {
      const pages = allDecisions(deps, principal, { ...filter, cursor }, signal());
      return sendPieces(response, NDJSON_TYPE, linesOf(pages));
    }
    const { decisions, next } = await listDecisions(deps, principal, { ...filter, limit, cursor }, signal());
    const page: Value<"listDecisions"> = { decisions, ...nextCursor(next) };
    return response.send(jsonReply(page));
  },

  listenToEvents: (deps, { principal }, exchange) =>
    sendEventFeed(exchange, (sink, lastEventId) => deliverEvents(deps, principal, lastEventId, sink)),
};

function filterOf(query: Query<"listDecisions">): DecisionFilter {
  const { agentId, requestId, outcome, kind, namespace, from, to } = query;
  return {
    ...(agentId !== undefined && { agentId }),
    ...(requestId !== undefined && { requestId }),
    ...(outcome !== undefined && { outcome }),
    ...(kind !== undefined && { kind }),
    ...(namespace !== undefined && { namespace }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

async function* linesOf(pages: AsyncIterable<readonly DecisionEntry[]>): AsyncGenerator<string> {
  for await (const decisions of pages) {
    if (decisions.length > 0) yield decisions.map((decision) => `${JSON.stringify(decision)}\n`).join("");
  }
}
