import { NDJSON_TYPE } from "#contract/media-types.ts";
import { paths } from "#contract/paths.ts";
import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Query, Reply } from "#contract/routes.ts";
import { ConnectionError } from "./connection-error.ts";
import { ndjsonLines } from "./ndjson-lines.ts";
import { type CallOptions, type Service, sendRequest } from "./send-request.ts";

/** Sends an export and gives the steps of its import as they come. A problem is thrown. */
export async function* importExportOver(
  service: Service,
  body: ReadableStream<Uint8Array> | Blob,
  query: Query<"importRecords">,
  options?: CallOptions,
): AsyncGenerator<Reply<"importRecords">, undefined> {
  const sent = { query, raw: { type: NDJSON_TYPE, body }, ...options };
  const steps = await sendRequest(service, paths.importRecords, sent, (response) => response.body);
  let isDone = false;
  for await (const line of ndjsonLines(steps)) {
    const step = line as Reply<"importRecords">;
    if (step.problem !== undefined) throw new ProblemError(step.problem as Problem);
    isDone ||= step.outcome !== undefined;
    yield step;
  }
  if (isDone) return;
  throw new ConnectionError("broken-off", "The import broke off. Send the same export again: nothing is added twice.");
}
