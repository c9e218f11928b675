// Sends events to a listener as server-sent events. A listener that does not read is cut: it comes back with the id of
// its last event.
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import type { Exchange } from "#http/exchange.ts";
import type { EventSink } from "#service/events/deliver-events.ts";
import { takenBehindFence } from "./fenced-write.ts";

/** Sends what `deliver` gives. Ends the reply when it has ended. */
export async function sendEventFeed(
  { request, response }: Exchange,
  deliver: (sink: EventSink, lastEventId: string | undefined) => Promise<void>,
): Promise<void> {
  await response.turn();
  // The head says all that a HEAD asks for.
  if (request.method === "HEAD") return response.begin(EVENT_STREAM_TYPE);
  // Events may leave behind a fence, and no more than one write is ever under way.
  const write = (text: string, lost: AbortSignal) =>
    takenBehindFence(response, lost, () => {
      if (!response.hasBegun()) response.begin(EVENT_STREAM_TYPE, { flush: true });
      return response.write(text);
    });
  const lastEventId = request.headers.get("last-event-id") ?? undefined;
  await deliver(
    {
      signal: response.signal(),
      send: (events, lost) =>
        write(
          events.map(({ id, name, data }) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
          lost,
        ),
      // Without data it is no event, and a client only takes the id.
      beat: (id) => write(`: beat\nid: ${id}\n\n`, NEVER_ABORTS),
    },
    lastEventId === "" ? undefined : lastEventId,
  );
  if (response.hasBegun()) response.end();
}
