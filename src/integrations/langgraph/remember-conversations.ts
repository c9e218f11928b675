// A node of a graph that learns from what the user said last. Its place is behind the answer, or beside it.
import { type Connection, connect, type Speaker } from "#integrations/connection.ts";
import { type Learned, learnFrom, type Remembering } from "#integrations/learn.ts";

export type RememberOptions = Connection<"learn"> &
  Speaker &
  Remembering & {
    /** Called with the facts of each turn, and the id of their receipt; or with the code of a failure. */
    readonly onLearned?: ((learned: Learned) => void) | undefined;
    readonly timeoutMs?: number | undefined;
  };

/** What it reads of a message of LangChain. */
interface SaidMessage {
  getType(): string;
  readonly content: unknown;
}

type RememberNode = (
  state: { readonly messages: readonly SaidMessage[] },
  config?: { readonly signal?: AbortSignal },
) => Promise<Record<string, never>>;

/** The node changes nothing of the state, and never fails the graph. */
export function rememberConversations(options: RememberOptions): RememberNode {
  const client = connect<"learn">(options);
  return async ({ messages }, config) => {
    const last = messages.findLast((message) => message.getType() === "human");
    const learned = await learnFrom(client, textIn(last?.content), options, config?.signal);
    if (learned !== undefined) options.onLearned?.(learned);
    return {};
  };
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: readonly { readonly type?: unknown; readonly text?: unknown }[] = Array.isArray(content) ? content : [];
  return parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : [])).join("\n");
}
