// Memories of other products, from the files that they export. What has no place here is counted.
import { defined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { isObject } from "#core/encoding/json-shape.ts";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import { type Details, type Metadata, metadataFault } from "#core/memory.ts";

export const PRODUCTS = ["mem0", "openmemory", "chatgpt", "langgraph", "zep", "basic-memory"] as const;
export type Product = (typeof PRODUCTS)[number];

export interface ForeignFact extends Details {
  readonly namespace: string;
  readonly content: string;
  readonly key?: string;
  readonly expiresAt?: string;
}

export interface ForeignMemories {
  readonly facts: readonly ForeignFact[];
  /** What is left out, in words, and how often. */
  readonly lost: ReadonlyMap<string, number>;
}

type Json = Readonly<Record<string, unknown>>;
type Lose = (what: string, count?: number) => void;

/** A memory as a reader found it. Values that are undefined or null are absent. */
interface Found {
  readonly namespace: unknown;
  readonly content: unknown;
  readonly key?: unknown;
  readonly at?: unknown;
  /** From when on it is true no more. */
  readonly until?: unknown;
  readonly metadata?: Json;
}

/** `text` is that of the file; of a JSON file, or of one with a JSON object a line. Throws a sentence if it is neither. */
export function readForeign(product: Product, text: string, now: Date): ForeignMemories {
  const lost = new Map<string, number>();
  const lose: Lose = (what, count = 1) => {
    if (count > 0) lost.set(what, (lost.get(what) ?? 0) + count);
  };
  // Programs on Windows begin files with a byte-order mark.
  const read = text.replace(/^\uFEFF/, "");
  const found = product === "basic-memory" ? readNote(read, lose) : READERS[product](readJson(read), lose);
  const isTrue = ({ until }: Found) => !(Date.parse(timeOf(until) ?? "") <= now.getTime());
  lose("facts that are not true any more", found.filter((each) => !isTrue(each)).length);
  return { facts: found.filter(isTrue).flatMap((each) => toFact(each, product, lose) ?? []), lost };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => JSON.parse(line));
  }
}

const READERS: Readonly<Record<Exclude<Product, "basic-memory">, (file: unknown, lose: Lose) => Found[]>> = {
  /** `get_all` and exports: a list, or an object with `results` or `memories`. */
  mem0(file, lose) {
    const { relations } = objectOr(file);
    lose("relations between memories", Array.isArray(relations) ? relations.length : 0);
    return objectsIn(file, "results", "memories").map((memory) => {
      const { memory: text, data, user_id, agent_id, app_id, run_id, id, created_at, updated_at } = memory;
      const until = memory.expiration_date;
      if (isGiven(updated_at) && updated_at !== created_at) lose("times of changes");
      const categories = textsIn(memory.categories);
      const ids = { mem0_id: id, user_id, agent_id, app_id, run_id };
      const metadata = { ...objectOr(memory.metadata), ...ids, categories: categories.join(", ") || undefined };
      return { namespace: categories[0], content: text ?? data ?? memory.content, at: created_at, until, metadata };
    });
  },

  /** memories.json of a backup, or the unpacked memories.jsonl. */
  openmemory(file, lose) {
    const backup = objectOr(file);
    const nameById = (list: unknown) => new Map(objectsIn(list).map(({ id, name }): [unknown, unknown] => [id, name]));
    const [categories, apps] = [nameById(backup.categories ?? []), nameById(backup.apps ?? [])];
    lose("changes of states", objectsIn(backup.status_history ?? []).length);
    lose("access controls: say in the policy who may use what", objectsIn(backup.access_controls ?? []).length);
    return objectsIn(file, "memories").flatMap((memory) => {
      if (memory.state === "deleted" || memory.state === "archived") {
        lose("memories that were deleted or archived");
        return [];
      }
      const named = Array.isArray(memory.category_ids) ? memory.category_ids.map((id) => categories.get(id)) : [];
      const names = [...textsIn(memory.categories), ...textsIn(named)];
      const app = memory.app ?? apps.get(memory.app_id);
      const more = { openmemory_id: memory.id, app, categories: names.join(", ") || undefined };
      const metadata = { ...objectOr(memory.metadata), ...more };
      return { namespace: names[0] ?? app, content: memory.content, at: memory.created_at, metadata };
    });
  },

  /** conversations.json. What ChatGPT remembered are the messages that it sent to its tool `bio`. */
  chatgpt(file, lose) {
    return objectsIn(file).flatMap((conversation) =>
      Object.values(objectOr(conversation.mapping)).flatMap((node) => {
        const message = objectOr(objectOr(node).message);
        const text = textsIn(objectOr(message.content).parts).join("\n").trim();
        if (text === "") return [];
        if (message.recipient !== "bio") {
          lose("messages of conversations, which are no memories");
          return [];
        }
        const metadata = { conversation: conversation.title };
        return { namespace: undefined, content: text, at: message.create_time, metadata };
      }),
    );
  },

  /** Items of a store, as in `store.search`. Portcullis' own LangGraph store reads them as they were. */
  langgraph(file, lose) {
    return objectsIn(file, "items").map((item) => {
      const created = item.created_at ?? item.createdAt;
      const updated = item.updated_at ?? item.updatedAt;
      if (isGiven(updated) && updated !== created) lose("times of changes");
      const path = Array.isArray(item.namespace) ? textsIn(item.namespace) : [];
      const content = typeof item.value === "object" && item.value !== null ? canonicalJson(item.value) : undefined;
      return { namespace: path.map(encodeURIComponent).join("/"), content, key: item.key, at: created };
    });
  },

  /** Edges of a graph. */
  zep(file) {
    return objectsIn(file, "edges", "items").map((edge) => {
      // Zep marks an edge as expired once it knows better, whatever end it had given before.
      const until = edge.expired_at ?? edge.invalid_at;
      const metadata = { ...objectOr(edge.attributes), zep_uuid: edge.uuid, relation: edge.name };
      return { namespace: undefined, content: edge.fact, at: edge.valid_at ?? edge.created_at, until, metadata };
    });
  },
};

/** A note of basic-memory: its observations, each with the title of the note, so that it can be understood alone. */
function readNote(text: string, lose: Lose): Found[] {
  const [, head = "", body = text] = /^---\n(.*?)\n---\n?(.*)$/s.exec(text.replaceAll("\r\n", "\n")) ?? [];
  const fields = new Map(
    head.split("\n").flatMap((line) => {
      const [, name = "", value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      return name === "" ? [] : [[name, value.replaceAll(/^["'[]|["'\]]$/g, "")] as const];
    }),
  );
  const [title, permalink = ""] = [fields.get("title"), fields.get("permalink")];
  const found: Found[] = [];
  for (const line of body.split("\n").map((each) => each.trim())) {
    const [, category, said = ""] = /^- \[([^\][]+)\] (.+)$/.exec(line) ?? [];
    // A task has a box in the place of a category.
    if (category !== undefined && !/^[ x-]$/i.test(category)) {
      const metadata = { category, permalink, tags: fields.get("tags"), type: fields.get("type") };
      const content = title === undefined ? said : `${title}: ${said}`;
      found.push({ namespace: permalink.replace(/\/?[^/]*$/, ""), content, at: fields.get("created"), metadata });
    } else if (/^- \S.*\[\[.+\]\]/.test(line)) lose("relations between notes");
    else if (line !== "" && !line.startsWith("#")) lose("lines of notes that are no observations");
  }
  return found;
}

/** Undefined, and counted, if it cannot be a memory here. */
function toFact(
  { namespace, content, key, at, until, metadata }: Found,
  product: Product,
  lose: Lose,
): ForeignFact | undefined {
  if (typeof content !== "string" || textFault(content, LIMITS.content) !== undefined) {
    lose("memories without a text, or with one that is too long");
    return undefined;
  }
  const isName = typeof namespace === "string" && nameFault(namespace) === undefined;
  if (!isName && isGiven(namespace) && namespace !== "")
    lose(`names that cannot be namespaces: these go to ${product}`);
  const occurredAt = timeOf(at);
  for (const time of [at, until])
    if (isGiven(time) && time !== "" && timeOf(time) === undefined) lose("times that cannot be read");
  const expires = timeOf(until);
  const kept = metadataOf(metadata, lose);
  return {
    namespace: isName ? namespace : product,
    content,
    ...(typeof key === "string" && { key }),
    ...defined({ occurredAt, metadata: kept }),
    ...(expires !== undefined && { expiresAt: new Date(expires).toISOString() }),
  };
}

/** Unix seconds, a date, or a time. One without a zone is UTC. */
function timeOf(at: unknown): string | undefined {
  if (typeof at !== "number" && typeof at !== "string") return undefined;
  if (typeof at === "string" && /^\d{4}-\d\d-\d\d$/.test(at)) return Number.isNaN(Date.parse(at)) ? undefined : at;
  const text = typeof at === "string" && !/(?:Z|[+-]\d\d:?\d\d)$/.test(at) ? `${at}Z` : at;
  const time = new Date(typeof text === "number" ? text * 1_000 : text);
  const isTime = !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString());
  return isTime ? time.toISOString() : undefined;
}

function metadataOf(given: Json = {}, lose: Lose): Metadata | undefined {
  const members = Object.entries(given).filter(([, value]) => isGiven(value) && value !== "");
  const flat = members.filter(
    (member): member is [string, Metadata[string]] => metadataFault(fromEntries([member])) === undefined,
  );
  lose("values of metadata that are no text, number or boolean, or are too long", members.length - flat.length);
  const metadata = fromEntries(flat);
  if (metadataFault(metadata) === undefined) return flat.length === 0 ? undefined : metadata;
  lose("metadata of memories that have too much of it");
  return undefined;
}

const fromEntries = <T>(members: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries(members);
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const objectOr = (value: unknown): Json => (isObject(value) ? value : {});
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** The objects of a list, or of the first of these members that is one. */
function objectsIn(file: unknown, ...members: readonly string[]): Json[] {
  const lists = [file, ...members.map((name) => new Map(Object.entries(objectOr(file))).get(name))];
  const list = lists.find((each) => Array.isArray(each));
  if (list === undefined) throw new TypeError("no list of memories");
  return (list as unknown[]).filter(isObject);
}
