// Content negotiation: what a request's Accept header asks for (RFC 9110, 12.5.1).
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "#contract/media-types.ts";

export function wantsEvents({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").toLowerCase().includes(EVENT_STREAM_TYPE);
}

export function wantsNdjson({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").toLowerCase().includes(NDJSON_TYPE);
}

/** Whether JSON is wanted more than HTML. A client without a preference gets HTML: for JSON there is `/api/verify`. */
export function prefersJson(accept: string): boolean {
  const weights = weightsIn(accept);
  const [json, html] = [weightOf("application/json", weights), weightOf("text/html", weights)];
  // Many programs send "application/json, */*", which weighs both the same. They want the type that they name.
  return json === html ? weights.has("application/json") && !weights.has("text/html") : json > html;
}

function weightsIn(accept: string): Map<string, number> {
  const ranges = accept.toLowerCase().split(",");
  return new Map(
    ranges.map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
}

/** The weight of the most specific range that covers the type. */
function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  const [kind] = type.split("/");
  return weights.get(type) ?? weights.get(`${kind}/*`) ?? weights.get("*/*") ?? 0;
}
