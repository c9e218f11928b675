// Exports and imports.

import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { exportHeader, exportRecord, exportTrailer } from "#contract/schemas/transfer.ts";
import { validate } from "#contract/schemas/validate.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { takenBehindFence } from "#http/answer/fenced-write.ts";
import { sendPieces } from "#http/answer/response-writer.ts";
import { readBodyChunks } from "#http/request/body-chunks.ts";
import type { Handlers } from "#http/route-handler.ts";
import { exportRecords } from "#service/transfer/export/export-records.ts";
import { importRecords } from "#service/transfer/import/import-records.ts";
import type { ExportReader } from "#service/transfer/import/read-export.ts";

export const transfer: Pick<Handlers, "exportRecords" | "importRecords"> = {
  async exportRecords(deps, { query, principal, signal }, { response }) {
    await response.turn();
    const write = (text: string, lost: AbortSignal = NEVER_ABORTS) => {
      if (!response.hasBegun()) response.begin(NDJSON_TYPE);
      return lost === NEVER_ABORTS
        ? response.write(text)
        : takenBehindFence(response, lost, () => response.write(text));
    };
    if (query.open !== undefined && principal.role !== "admin")
      throw forbidden("Only an admin chooses whether sealed memories are exported as plain text.");
    const filter = { ...query, open: query.open === "true" };
    await exportRecords(deps, principal, filter, { write, isClosed: response.isClosed }, signal());
    response.end();
  },

  async importRecords(deps, { query, principal, signal }, { request, response, reportFailure }) {
    const body = readBodyChunks(request);
    const options = { body, key: query.key, replacesPolicy: query.policy === "replace", signal: signal() };
    const steps = importRecords(deps, options, EXPORT_READER, principal);
    async function* lines(): AsyncGenerator<string> {
      try {
        for await (const step of steps) yield `${JSON.stringify(step)}\n`;
      } catch (error) {
        // Before the first step nothing is sent, and nothing recorded.
        if (!response.hasBegun()) throw error;
        yield `${JSON.stringify({ problem: reportFailure(error) })}\n`;
      }
    }
    return sendPieces(response, NDJSON_TYPE, lines());
  },
};

/** Checks the lines of an export against the contract. */
const EXPORT_READER: ExportReader = {
  header: (value) => validate(exportHeader, value).data,
  record: (value) => validate(exportRecord, value).data as ReturnType<ExportReader["record"]>,
  trailer: (value) => validate(exportTrailer, value).data,
};
