// Exports and imports.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { exportHeader, exportRecord, exportTrailer } from "#contract/rows/transfer.ts";
import { validate } from "#contract/schemas/validate.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { sendPieces } from "#http/answer/response-writer.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import { readBodyChunks } from "#http/request/body.ts";
import type { Handlers } from "#http/route-handler.ts";
import { exportRecords } from "#service/transfer/export-records.ts";
import { importRecords } from "#service/transfer/import-records.ts";
import type { ExportReader } from "#service/transfer/read-export.ts";

export const transfer: Pick<Handlers, "exportRecords" | "importRecords"> = {
  async exportRecords(tenant, { query, principal, call }, { response }) {
    await response.turn();
    response.reserve();
    const write = (text: string, lost: AbortSignal = NEVER_ABORTS) => {
      if (!response.hasBegun()) response.begin(NDJSON_TYPE);
      return lost === NEVER_ABORTS
        ? response.write(text)
        : takenBehindFence(response, lost, () => response.write(text));
    };
    if (query.decrypt !== undefined && principal.role !== "admin")
      throw forbidden("Only an admin may export encrypted memories as plain text.");
    const filter = { ...query, decrypt: query.decrypt === "true" };
    await exportRecords(tenant, call, filter, { write, isClosed: response.isClosed });
    response.end();
  },

  async importRecords(tenant, { query, call }, { request, response, reportFailure }) {
    const body = readBodyChunks(request);
    const { key, policy, dryRun } = query;
    const options = { body, key, replacesPolicy: policy === "replace", isDryRun: dryRun === "true" };
    const steps = importRecords(tenant, options, EXPORT_READER, call);
    async function* lines(): AsyncGenerator<string> {
      try {
        for await (const step of steps) yield `${JSON.stringify(step)}\n`;
      } catch (error) {
        // Before the first step nothing is sent, and nothing recorded.
        if (!response.hasBegun()) throw error;
        yield `${JSON.stringify({ problem: reportFailure(error) })}\n`;
      }
    }
    return tenant.importSlots.run(call.principal, () => sendPieces(response, NDJSON_TYPE, lines()));
  },
};

/** Checks the lines of an export against the contract. */
const EXPORT_READER: ExportReader = {
  header: (value) => validate(exportHeader, value),
  record: (value) => validate(exportRecord, value) as ReturnType<ExportReader["record"]>,
  trailer: (value) => validate(exportTrailer, value),
};
