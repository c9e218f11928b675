// The methods: one for each operation.
import { type Place, paths, type RouteName } from "#contract/paths.ts";
import { EVENTS, itemOf, JSON_TYPE, NDJSON, type Operation, type Schema } from "./contract.ts";
import { annotated, type Models, optional } from "./models.ts";
import { bracketed, docstring, pascal, snake } from "./python-text.ts";

export type Colour = "sync" | "async";

interface Argument {
  readonly name: string;
  /** In the request. */
  readonly wire: string;
  readonly type: string;
  readonly about: string;
  readonly place: "path" | "query" | "body";
  /** Left out of the request when it is None. */
  readonly isOptional: boolean;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** An export is signed, so it is given and taken as it is: as bytes. */
const SIGNED = "ExportLine";
/** The models of replies that a request takes, too. */
const ALSO: Readonly<Record<string, string>> = {
  ReceiptToAnchor: "ReceiptToAnchor | AnswerReceipt | ViewedReceipt",
  OpeningDocument: "OpeningDocument | Opening",
};

/** The text of an operation's methods. */
export function methodsOf(route: Route, models: Models, colour: Colour): string[] {
  const method = methodWriter(route, models, colour);
  const { content = {} } = route.operation.responses["200"] ?? {};
  const reply = content[JSON_TYPE]?.schema ?? {};
  const [line, event] = [itemOf(content, NDJSON), itemOf(content, EVENTS)];
  if (event?.oneOf !== undefined) return [method.stream(event.oneOf)];
  if (content[JSON_TYPE] === undefined) return [event ? method.feed(event) : line ? method.lines(line) : method.text()];
  if (reply.anyOf?.length === 2) return [method.preferring(reply.anyOf as [Schema, Schema])];
  const list = listIn(reply);
  return [list === undefined ? method.plain(reply) : method.listing(reply, list)];
}

/** The field of a page that has its elements. */
function listIn({ properties = {} }: Schema): string | undefined {
  if (properties.nextCursor === undefined) return undefined;
  return Object.keys(properties).find((name) => properties[name]?.type === "array");
}

function methodWriter({ method, path, operation }: Route, models: Models, colour: Colour) {
  const { operationId, summary, description } = operation;
  const [isAsync, base, name] = [colour === "async", baseOf(operation), snake(operationId)];
  const given = argumentsOf(operation, models);
  const isRepeatable = operation.parameters?.some((each) => each.name === "Idempotency-Key") ?? false;
  const { repeats }: Partial<Place> = paths[operationId as RouteName] ?? {};
  const safe = `${isRepeatable ? ", idempotent=True" : ""}${repeats ? `, repeats="${repeats}"` : ""}`;
  const route = `Route("${method.toUpperCase()}", "${path}"${safe})`;
  const [keyword, wait] = isAsync ? ["async def", "await "] : ["def", ""];
  const iterator = isAsync ? "AsyncIterator" : "Iterator";
  const OPTIONS = "options: CallOptions | None = None";

  function signature(named: string, { more = [], reply, word = keyword }: Signature): string {
    const [positional, keywords] = [
      given.filter((each) => each.place === "path"),
      given.filter((each) => each.place !== "path"),
    ];
    const parameters = [
      "self",
      ...positional.map((each) => `${each.name}: ${each.type}`),
      "*",
      ...keywords.filter((each) => !each.isOptional).map((each) => `${each.name}: ${each.type}`),
      ...more,
      ...keywords
        .filter((each) => each.isOptional)
        .map((each) => annotated("", each.name, optional(each.type), " = None", 13)),
      OPTIONS,
    ];
    return bracketed(`    ${word} ${named}(`, parameters, `) -> ${reply}:`, 4);
  }

  function doc(lead: string, more: readonly (readonly [string, string])[] = []): string {
    const args = [...more, ...given.map((each) => [each.name, each.about] as const)];
    return docstring({ text: [lead, description], args }, "        ");
  }

  const sent = (extra: readonly string[] = []): string[] => [
    ...part("path", given),
    ...part("query", given),
    ...part("body", given),
    ...extra,
    "options=options",
  ];
  const call = (helper: string, first: readonly string[], extra?: readonly string[]) =>
    bracketed(`        return ${helper}(`, [route, ...first, ...sent(extra)], ")");
  const whole = (head: string, about: string, body: string) => `${head}\n${about}\n${body}`;

  return {
    plain(schema: Schema): string {
      const reply = models.typeOf(schema, `${base}Reply`, "reply");
      return whole(signature(name, { reply }), doc(summary), call(`${wait}self._call`, [reply]));
    },
    text: () => whole(signature(name, { reply: "str" }), doc(summary), call(`${wait}self._text`, [])),
    listing(schema: Schema, list: string): string {
      const page = models.typeOf(schema, `${base}Reply`, "reply");
      const element = models.typeOf(schema.properties?.[list] ?? {}, `${base}Reply${pascal(list)}`, "reply");
      const reply = `${isAsync ? "Async" : ""}Pages[${page}, ${element.replace(/^list\[(.*)\]$/, "$1")}]`;
      const head = signature(name, { reply, word: "def" });
      return whole(head, doc(summary), call("self._pages", [page, `lambda page: page.${snake(list)}`]));
    },
    /** The short reply is the second one. */
    preferring([full, version]: readonly [Schema, Schema]): string {
      const reply = models.typeOf(full, `${base}Reply`, "reply");
      const minimal = models.typeOf(version, `${base}MinimalReply`, "reply");
      const overloads = [
        signature(name, { more: ["prefer: None = None"], reply }),
        signature(name, { more: ['prefer: Literal["minimal"]'], reply: minimal }),
      ].map((each) => `    @overload\n${each} ...\n`);
      const both = { more: ['prefer: Literal["minimal"] | None = None'], reply: `${reply} | ${minimal}` };
      const about = doc(summary, [["prefer", "`minimal`: the reply has the version alone."]]);
      const short = call(`${wait}self._call`, [minimal], ["prefer=prefer"]).replaceAll(/^/gm, "    ");
      const body = `        if prefer == "minimal":\n${short}\n${call(`${wait}self._call`, [reply])}`;
      return `${overloads.join("\n")}\n${whole(signature(name, both), about, body)}`;
    },
    stream(events: readonly Schema[]): string {
      const members = events.flatMap((event): [string, string][] => {
        const word = String(event.properties?.event?.const);
        return word === "problem" ? [] : [[word, models.typeOf(event, `Streamed${pascal(word)}`, "reply")]];
      });
      models.addAlias(
        "AnswerEvent",
        members.map(([, model]) => model),
      );
      const table = bracketed(
        "{",
        members.map(([word, model]) => `"${word}": ${model}`),
        "}",
        12,
      );
      const head = signature(name, { reply: `${iterator}[AnswerEvent]`, word: "def" });
      const lead = `The same, as events: what passed the gate, the pieces of the answer, and at last the answer itself. After \`restart\` all so far is void.`;
      return whole(head, doc(lead), call("self._answer", [table]));
    },
    feed(event: Schema): string {
      const model = models.typeOf(event, `${base}Event`, "reply");
      const more = [
        "last_event_id: str | None = None",
        "on_id: Callable[[str], object] | None = None",
        "pause: float = 1.0",
      ];
      const about = doc(`${summary} Goes on by itself when a connection breaks.`, [
        ["last_event_id", "Goes on after this event."],
        ["on_id", "Called with each id that the feed could go on after, also of events that the caller does not get."],
        ["pause", "Seconds before the second try; doubled for each further one, up to 30 s."],
      ]);
      const head = signature(name, { more, reply: `${iterator}[${model}]`, word: "def" });
      return whole(
        head,
        about,
        call("self._feed", [model], ["last_event_id=last_event_id", "on_id=on_id", "pause=pause"]),
      );
    },
    lines(item: Schema): string {
      const [reply, body] = [bytesOr(item, `${base}Reply`), itemOf(operation.requestBody?.content, NDJSON)];
      if (body === undefined) {
        const head = signature(name, { reply: `${iterator}[${reply}]`, word: "def" });
        return whole(head, doc(summary), call("self._bytes", []));
      }
      const model = bytesOr(body, `${base}Line`);
      const source = isAsync ? `Iterable[${model}] | AsyncIterable[${model}]` : `Iterable[${model}]`;
      const more = [`lines: ${model === "bytes" ? `bytes | ${source}` : source}`];
      const about = "One after the other. The results come while they are read.";
      const head = signature(name, { more, reply: `${iterator}[${reply}]`, word: "def" });
      const helper = model === "bytes" ? "self._send_export" : "self._send_lines";
      return whole(
        head,
        doc(summary, [["lines", model === "bytes" ? "The export." : about]]),
        call(helper, [reply, "lines"]),
      );
    },
  };

  function bytesOr(schema: Schema, place: string): string {
    if (schema.$ref?.endsWith(`/${SIGNED}`)) return "bytes";
    return models.typeOf(schema, place, place.endsWith("Line") ? "request" : "reply");
  }
}

/** What its models are named after. A stream has those of the answer in one piece. */
const baseOf = ({ operationId }: Operation): string => pascal(operationId.replace(/Stream$/, ""));

interface Signature {
  /** Parameters that are not in the contract. */
  readonly more?: readonly string[];
  readonly reply: string;
  readonly word?: string;
}

function argumentsOf(operation: Operation, models: Models): Argument[] {
  const base = baseOf(operation);
  const parameters = (operation.parameters ?? []).flatMap((each): Argument[] => {
    if (each.in !== "path" && each.in !== "query") return [];
    const type = switchType(each.schema) ?? models.typeOf(each.schema, `${base}${pascal(each.name)}`, "request");
    return [argument(each.name, type, { place: each.in, about: each.description, isOptional: each.required !== true })];
  });
  const body = operation.requestBody?.content[JSON_TYPE]?.schema;
  const fields = Object.entries(body?.properties ?? {}).map(([wire, schema]) => {
    const type = models.typeOf(schema, `${base}${pascal(wire)}`, "request");
    const isOptional = body?.required?.includes(wire) !== true;
    if (isOptional && type.endsWith("None"))
      throw new Error(`${base}: ${wire} may be null or left out: say how in Python.`);
    return argument(wire, ALSO[type] ?? type, { place: "body", about: schema.description, isOptional });
  });
  const all = [...parameters, ...fields];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error(`${base} has a name twice.`);
  return all;
}

const argument = (
  wire: string,
  type: string,
  { place, about = "", isOptional }: Pick<Argument, "place" | "isOptional"> & { about?: string | undefined },
): Argument => ({ name: snake(wire), wire, type, about, place, isOptional });

/** A switch in a query is a boolean. */
function switchType(schema: Schema): string | undefined {
  const values = schema.enum?.join() ?? "";
  return values === "true,false" ? "bool" : values === "true" ? "Literal[True]" : undefined;
}

/** `body={…}`. What is optional is left out when it is None. */
function part(place: Argument["place"], all: readonly Argument[]): string[] {
  const some = all.filter((each) => each.place === place);
  if (some.length === 0) return [];
  const entry = (each: Argument) => `"${each.wire}": ${each.name}`;
  if (place !== "body") return [bracketed(`${place}={`, some.map(entry), "}", 13)];
  const left = some.filter((each) => each.isOptional).map(entry);
  const always = some.filter((each) => !each.isOptional).map(entry);
  if (always.length === 0) return [bracketed("body=given({", left, "})", 13)];
  const rest = left.length === 0 ? [] : [bracketed("**given({", left, "})", 17)];
  return [bracketed("body={", [...always, ...rest], "}", 13)];
}
