// What somebody brings, as drafts of memories: a table or JSON, an export of another product, or text.
import type { Body } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { type Product, readForeign } from "#core/transfer/foreign-memories.ts";
import { client } from "#web/api/client.ts";
import { FileFault, linesOf, SOURCE } from "#web/pages/memories/import/import-lines.ts";

export type Draft = Body<"capture"> & { readonly sourceAgent: string };

export interface Brought {
  readonly drafts: readonly Draft[];
  /** What the reader should know of them, a sentence each. */
  readonly notes: readonly string[];
}

/** For facts that come without one. */
const NAMESPACE = "notes";

export async function readTable(file: File): Promise<Brought> {
  const text = await (await linesOf(file, NAMESPACE)).text();
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const drafts = lines.map((line, i): Draft => {
    const fact = orUndefined(() => JSON.parse(line));
    if (typeof fact?.content !== "string")
      throw new FileFault(`Line ${i + 1} has no “content”. If another product has exported the file, say which one.`);
    return { namespace: NAMESPACE, sourceAgent: SOURCE, ...fact } as Draft;
  });
  return { drafts, notes: [] };
}

export async function readExport(product: Product, file: File): Promise<Brought> {
  const text = await file.text();
  const read = orUndefined(() => readForeign(product, text, new Date()));
  if (read === undefined) throw new FileFault(`This is not a file that ${product} exports.`);
  const notes = [...read.lost].map(([what, count]) => `Not taken: ${count} ${what}.`);
  return { drafts: read.facts.map((fact) => ({ ...fact, sourceAgent: product })), notes };
}

/** The facts that the service finds in a text or a chat; if it finds none, each line. */
export async function readText(text: string): Promise<Brought> {
  const messages = messagesIn(text);
  const { proposals } = await client.learn({ agentId: SOURCE, messages, defaultNamespace: NAMESPACE, mode: "propose" });
  if (proposals.length > 0) {
    const drafts = proposals.map(({ content, namespace, occurredAt }) => ({
      ...{ content, namespace, sourceAgent: SOURCE },
      ...(occurredAt !== undefined && { occurredAt }),
    }));
    return { drafts, notes: [] };
  }
  const drafts = messages.map(({ content }) => ({ content, namespace: NAMESPACE, sourceAgent: SOURCE }));
  return { drafts, notes: ["The service found no facts in it, so each line is one."] };
}

/** "User: …" and "Assistant: …" begin what each of them said. */
export function messagesIn(text: string) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [, speaker, said = line] = /^(user|human|me|assistant|ai|bot):\s*(.+)$/i.exec(line) ?? [];
      const role = /^(?:assistant|ai|bot)$/i.test(speaker ?? "") ? ("assistant" as const) : ("user" as const);
      return { role, content: said.slice(0, LIMITS.content) };
    });
}
