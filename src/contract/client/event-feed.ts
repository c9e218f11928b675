// Events as they happen, over as many connections as it takes: after a broken one the feed goes on behind the last event.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { paths } from "#contract/paths.ts";
import { isProblem } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { backoffMs } from "#core/backoff.ts";
import { parseEventStream } from "./body-streams.ts";
import { ConnectionError, parseJson } from "./read-reply.ts";
import { type CallOptions, pause, type Service, sendRequest } from "./send-request.ts";

export type FeedEvent = Reply<"listenToEvents">;

export interface FeedOptions extends Pick<CallOptions, "signal"> {
  /** Goes on after this event. */
  readonly lastEventId?: string | undefined;
  /** Called with each id that the feed could go on after, also of events that the caller does not get. */
  readonly onId?: ((id: string) => void) | undefined;
  /** Before the second try; doubled for each further one, up to 30 s. */
  readonly retryMs?: number;
}

const LONGEST_PAUSE_MS = 30_000;

/** Ends when `signal` aborts. Throws the problem when the service refuses the caller. */
export async function* eventFeed(
  service: Service,
  { signal = service.signal, lastEventId, onId, retryMs = 1_000 }: FeedOptions = {},
): AsyncGenerator<FeedEvent, undefined> {
  let id = lastEventId;
  let pauseMs = retryMs;
  const keepId = (given: string) => {
    id = given;
    onId?.(given);
  };
  while (signal?.aborted !== true) {
    try {
      const headers = { accept: EVENT_STREAM_TYPE, ...(id !== undefined && { "last-event-id": id }) };
      const sent = { headers, signal, retries: 0 };
      const body = await sendRequest(service, paths.listenToEvents, sent, (response) => response.body);
      if (body !== null) {
        for await (const { name, data } of parseEventStream(body, keepId)) {
          pauseMs = retryMs;
          yield { id: id ?? "", name: name as FeedEvent["name"], data: parseJson(data) as FeedEvent["data"] };
        }
      }
    } catch (error) {
      if (isProblem(error) && error.status < 500 && error.status !== 429) throw error;
      if (error instanceof ConnectionError && error.code === "too-large") throw error;
      if (isProblem(error)) pauseMs = Math.max(pauseMs, error.retryAfterMs ?? 0);
    }
    await pause(pauseMs, signal);
    pauseMs = backoffMs(1, { firstMs: pauseMs, longestMs: LONGEST_PAUSE_MS });
  }
}
