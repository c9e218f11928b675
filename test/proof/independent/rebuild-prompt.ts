// Rebuilds a prompt from a receipt, the blobs of its memories and the question, by the section "The prompt" of
// docs/proof.md.
import { jsonString } from "./canonical-json.ts";
import { codePoints, data } from "./proof-page.ts";

const isEscaped = codePoints("escaped");
const escaped = (text: string): string => jsonString(text, isEscaped);

/** One used memory: `namespace`, `given` and `pinned` of the receipt, `content` and `occurredAt` of the blob. */
export interface PromptMemory {
  readonly namespace: string;
  readonly given: number;
  readonly pinned?: boolean | undefined;
  readonly content: string;
  readonly occurredAt?: string | undefined;
}

/** `createdAt` is the receipt's. */
export function rebuildPrompt(
  template: string,
  memories: readonly PromptMemory[],
  { question, createdAt }: { readonly question: string; readonly createdAt: string },
) {
  const { templates, texts } = data;
  const names = templates[template] ?? [];
  if (names.length === 0) throw new Error(`unknown template ${template}`);
  return {
    system: `${names.map((name) => texts[name]).join(" ")}\n\n${texts.instructions}`,
    user: [
      "<memories>",
      ...memories.map(line),
      "</memories>",
      `<question date="${createdAt.slice(0, 10)}">`,
      escaped(question),
      "</question>",
    ].join("\n"),
  };
}

function line({ namespace, given, pinned, content, occurredAt }: PromptMemory, index: number): string {
  const members = [
    `"n":${index + 1}`,
    `"namespace":${escaped(namespace)}`,
    `"content":${escaped(content.slice(0, given))}`,
    ...(occurredAt === undefined ? [] : [`"date":${escaped(occurredAt.slice(0, 10))}`]),
    ...(pinned ? ['"pinned":true'] : []),
    ...(given < content.length ? ['"cut":true'] : []),
  ];
  return `{${members.join(",")}}`;
}
