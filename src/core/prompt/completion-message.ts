// What a model said in OpenAI's shape, put together from a whole completion or from the chunks of a stream.
import { canonicalJson } from "#core/encoding/canonical-json.ts";

/** What is read of a completion or a chunk. The rest passes through as it is. */
export interface CompletionChunk {
  readonly model?: string | undefined;
  readonly choices: readonly {
    readonly message?: ChunkMessage | null | undefined;
    readonly delta?: ChunkMessage | null | undefined;
    readonly finish_reason?: string | null | undefined;
  }[];
}

interface ChunkMessage {
  readonly content?: string | null | undefined;
  readonly refusal?: string | null | undefined;
  readonly tool_calls?: readonly ToolCallPart[] | null | undefined;
}

interface ToolCallPart {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly function?: Partial<Readonly<Record<"name" | "arguments", string | null | undefined>>> | undefined;
}

export function collectMessage() {
  let content = "";
  let refusal = "";
  let isFinished = false;
  const calls = new Map<number, Record<"id" | "name" | "arguments", string>>();

  function addCall({ id, function: called }: ToolCallPart, index: number): void {
    const call = calls.get(index) ?? { id: "", name: "", arguments: "" };
    call.id ||= id ?? "";
    call.name += called?.name ?? "";
    call.arguments += called?.arguments ?? "";
    calls.set(index, call);
  }

  return {
    add({ choices: [choice] }: CompletionChunk): void {
      const said = choice?.message ?? choice?.delta;
      content += said?.content ?? "";
      refusal += said?.refusal ?? "";
      for (const [i, part] of said?.tool_calls?.entries() ?? []) addCall(part, part.index ?? i);
      isFinished ||= (choice?.finish_reason ?? "") !== "";
    },
    /** The model has said why it stopped. What may follow is a report of the usage. */
    isFinished: () => isFinished,
    /** The words, for the receipt; canonical JSON of the whole when there is more than words. */
    answer(): string {
      const words = content.toWellFormed();
      if (refusal === "" && calls.size === 0) return words;
      const toolCalls = [...calls.values()].map(({ id, name, arguments: given }) => ({
        id: id.toWellFormed(),
        name: name.toWellFormed(),
        arguments: given.toWellFormed(),
      }));
      return canonicalJson({ content: words, refusal: refusal.toWellFormed(), toolCalls });
    },
  };
}
