// The response bodies of OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat), whole and in
// chunks.

const CREATED = 1_767_225_600;
const ID = "chatcmpl-stand-in";
const USAGE = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };

export interface Message {
  readonly content: string | null;
  readonly refusal?: string;
  readonly tool_calls?: readonly ToolCall[];
}

export interface ToolCall {
  readonly index?: number;
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export function completion(model: string, message: Message, finish: string) {
  return {
    id: ID,
    object: "chat.completion",
    created: CREATED,
    model,
    choices: [{ index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason: finish }],
    usage: USAGE,
  };
}

export function chunk(model: string, delta: Partial<Message> & { role?: string }, finish: string | null = null) {
  return {
    id: ID,
    object: "chat.completion.chunk",
    created: CREATED,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  };
}

/** The last chunk before `[DONE]`: it has no choices and reports the usage. */
export function usageChunk(model: string) {
  return { id: ID, object: "chat.completion.chunk", created: CREATED, model, choices: [], usage: USAGE };
}

export function failure(message: string) {
  return { error: { message, type: "server_error", param: null, code: null } };
}

export function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}
