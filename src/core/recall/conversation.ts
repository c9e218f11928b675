// A question with the turns before it: "When does it leave?" after "Tell me about my trip to Lisbon."

export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export const MOST_TURNS = 10;

/**
 * The question as it is asked: alone, or with the turns before it, one a line. A receipt commits to this text, a prompt
 * holds it, and docs/api.md shows it.
 */
export function askedText(query: string, messages: readonly Turn[] = []): string {
  if (messages.length === 0) return query;
  return [...messages, { role: "user" as const, content: query }].map(lineOf).join("\n");
}

const NAMES = { user: "Me", assistant: "You" } as const;

const lineOf = ({ role, content }: Turn): string => `${NAMES[role]}: ${content.replaceAll(/\s+/g, " ").trim()}`;

/** What is searched for. The question comes first, and then the newest: only so many words count. */
export const searchedText = (query: string, messages: readonly Turn[] = []): string =>
  [query, ...messages.map(({ content }) => content).toReversed()].join("\n");
