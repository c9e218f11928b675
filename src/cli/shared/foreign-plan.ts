// What an import from another product would do: which memories go where, and what is lost.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Invocation, UsageError } from "#cli/invocation.ts";
import { orUndefined } from "#core/defined.ts";
import { configurationError } from "#core/errors.ts";
import { type ForeignMemories, type Product, readForeign } from "#core/transfer/foreign-memories.ts";

export async function foreignPlan(
  path: string,
  product: Product,
  { namespaceMap: pairs = [], agent }: Invocation<"import">["values"],
) {
  const names = new Map(pairs.map(namePair));
  const [counts, lost] = [new Map<string, number>(), new Map<string, number>()];
  const facts: object[] = [];
  for (const file of await filesAt(path, product)) {
    const read = await readFrom(product, file);
    for (const [what, count] of read.lost) lost.set(what, (lost.get(what) ?? 0) + count);
    for (const fact of read.facts) {
      const namespace = names.get(fact.namespace) ?? fact.namespace;
      counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
      facts.push({ ...fact, namespace, sourceAgent: agent });
    }
  }
  /** How many memories go to each namespace, and how many of what are lost. */
  const plan = { namespaces: Object.fromEntries(counts), lost: Object.fromEntries(lost) };
  return { facts, plan };
}

async function readFrom(product: Product, file: string): Promise<ForeignMemories> {
  const text = await readFile(file, "utf8");
  const read = orUndefined(() => readForeign(product, text, new Date()));
  if (read !== undefined) return read;
  throw configurationError(`${file} is not a file that ${product} exports. docs/bring.md says which one to take.`);
}

async function filesAt(path: string, product: Product): Promise<string[]> {
  if (product !== "basic-memory" || !(await stat(path)).isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => join(path, name));
}

function namePair(pair: string): [string, string] {
  const at = pair.indexOf("=");
  if (at < 1 || at === pair.length - 1) throw new UsageError("--namespace-map takes an old and a new name: food=diet.");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

export function sentencesOfForeign({ namespaces, lost }: Awaited<ReturnType<typeof foreignPlan>>["plan"]): string[] {
  const counted = Object.entries(namespaces).map(([name, count]) => `${name}: ${count}`);
  return [
    counted.length === 0 ? "There is no memory in it." : `Memories by namespace: ${counted.join(", ")}.`,
    ...Object.entries(lost).map(([what, count]) => `Not imported: ${count} ${what}.`),
  ];
}
