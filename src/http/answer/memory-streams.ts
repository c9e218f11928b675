// Replies about memories that are sent in pieces, so that a reply of any length needs little memory.
import { NDJSON_TYPE } from "#contract/media-types.ts";
import type { Body } from "#contract/routes.ts";
import { factBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Exchange } from "#http/exchange.ts";
import type { ParsedLine } from "#http/request/ndjson-body.ts";
import type { Deps } from "#service/deps.ts";
import { type ImportLine, importMemories } from "#service/memories/import-memories.ts";
import { sendPieces } from "./response-writer.ts";

export const MEMORY_LIST_OPENING = '{"memories":[';

interface Import {
  readonly lines: AsyncIterable<ParsedLine<Body<"importMemories">>>;
  readonly principal: Principal;
}

/**
 * Sends a result for each line as it is stored. Backpressure reaches the request: no further line is read before the
 * client takes a result, so a client must read while it writes.
 */
export function sendImportResults(deps: Deps, given: Import, { response, problemOf }: Exchange): Promise<void> {
  async function* results(): AsyncGenerator<string> {
    for await (const result of importMemories(deps, factsIn(given))) {
      const outcome = "memory" in result ? { memory: result.memory } : { problem: problemOf(result.error) };
      yield `${JSON.stringify({ line: result.line, ...outcome })}\n`;
    }
  }
  return deps.importSlots.run(given.principal, () => {
    // Some clients send the body only when they have seen the head.
    response.begin(NDJSON_TYPE, { flush: true });
    return sendPieces(response, NDJSON_TYPE, results());
  });
}

async function* factsIn({ lines, principal }: Import): AsyncGenerator<ImportLine> {
  for await (const line of lines) yield "error" in line ? line : factIn(line.line, line.value, principal);
}

function factIn(line: number, draft: Body<"importMemories">, principal: Principal): ImportLine {
  try {
    return { line, fact: factBy(principal, draft) };
  } catch (error) {
    return { line, error };
  }
}
