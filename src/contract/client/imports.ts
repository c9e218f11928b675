// Facts and exports that are sent as NDJSON, with results as they come.
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { paths } from "#contract/paths.ts";
import { type Problem, ProblemError } from "#contract/problem.ts";
import type { Query, Reply } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";
import { ndjsonLines } from "./body-streams.ts";
import { ConnectionError } from "./read-reply.ts";
import { type CallOptions, type Service, sendRequest } from "./send-request.ts";

export type ImportReply =
  | { readonly line: number; readonly memory: Memory; readonly problem?: never; readonly dryRun?: never }
  | { readonly line: number; readonly problem: Problem; readonly memory?: never; readonly dryRun?: never }
  /** In a dry run, of a fact that would be stored. */
  | { readonly line: number; readonly dryRun: true; readonly memory?: never; readonly problem?: never };

/** Objects, or NDJSON as a Blob: over HTTP/1.1 a browser sends no stream, so it must have the whole body. */
export type Importable = Iterable<object> | AsyncIterable<object> | Blob;

/** Sends the lines and gives the results as they come. A fact whose result has come is on record. */
export async function* importOver(
  service: Service,
  lines: Importable,
  query: Query<"importMemories">,
  options?: CallOptions,
): AsyncGenerator<ImportReply, undefined> {
  const sent = { query, raw: { type: NDJSON_TYPE, body: lines instanceof Blob ? lines : encoded(lines) }, ...options };
  const results = await sendRequest(service, paths.importMemories, sent, (response) => response.body);
  for await (const result of ndjsonLines(results)) yield result as ImportReply;
}

/** `ReadableStream.from` would do, but not every browser has it. */
function encoded(lines: Iterable<object> | AsyncIterable<object>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const iterator = each(lines);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(utf8.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* each<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, undefined> {
  yield* values;
}

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
    isDone ||= step.outcome !== undefined || step.plan !== undefined;
    yield step;
  }
  if (isDone) return;
  throw new ConnectionError("broken-off", "The import broke off. Send the same export again: nothing is added twice.");
}
