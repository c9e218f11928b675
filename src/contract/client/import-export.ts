import { NDJSON_TYPE } from "#contract/media-types.ts";
import { paths } from "#contract/paths.ts";
import { ProblemError, readProblem } from "#contract/problem.ts";
import type { Query, Reply } from "#contract/routes.ts";
import { type CallOptions, type ClientOptions, queryString } from "./send-request.ts";
import { utf8Chunks } from "./utf8-chunks.ts";

/** Sends an export and gives the steps of its import as they come. A problem is thrown. */
export async function* importExportOver(
  { baseUrl, fetch }: Required<Omit<ClientOptions, "bearer">>,
  body: ReadableStream<Uint8Array> | Blob,
  query: Query<"importRecords">,
  { signal }: CallOptions = {},
): AsyncGenerator<Reply<"importRecords">> {
  const { method, path } = paths.importRecords;
  const init = { method, headers: { "content-type": NDJSON_TYPE }, body, duplex: "half" };
  const url = `${baseUrl}${path}${queryString(query)}`;
  const response = await fetch(url, { ...init, ...(signal !== undefined && { signal }) } as RequestInit);
  if (!response.ok || response.body === null) throw new ProblemError(await readProblem(response));
  let rest = "";
  let isDone = false;
  for await (const text of utf8Chunks(response.body)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const step = JSON.parse(line) as Reply<"importRecords">;
      if (step.problem !== undefined) throw new ProblemError(step.problem as ProblemError["problem"]);
      isDone ||= step.outcome !== undefined;
      yield step;
    }
  }
  if (!isDone) throw new Error("The import broke off. Send the same export again: nothing is added twice.");
}
