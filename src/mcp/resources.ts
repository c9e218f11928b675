// Resources: what the agent may see, as JSON documents with addresses. Each is the reply of one route.
import { PortcullisError } from "#core/errors.ts";
import type { RouteCalls } from "./route-calls.ts";

const SCHEME = "portcullis://";
const JSON_TYPE = "application/json";
const NEWEST = 50;

interface Resource {
  /** Below the scheme. A part in braces stands for an id. */
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  read(calls: RouteCalls, id: string): Promise<object>;
}

const TABLE: readonly Resource[] = [
  {
    path: "namespaces",
    name: "namespaces",
    title: "Namespaces",
    description: "The namespaces that you may use, with what they are for.",
    read: (calls) => calls.call("listNamespaces", { query: {} }),
  },
  {
    path: "memories",
    name: "memories",
    title: "Newest memories",
    description: `The newest ${NEWEST} memories that you may use.`,
    // With a limit it is one page, which leaves in one piece.
    read: (calls) => calls.call("listMemories", { query: { limit: NEWEST } }),
  },
  {
    path: "receipts",
    name: "receipts",
    title: "Newest receipts",
    description: `Your newest ${NEWEST} receipts.`,
    read: (calls) => calls.call("listReceipts", { query: { limit: NEWEST } }),
  },
  {
    path: "memories/{memoryId}",
    name: "memory",
    title: "A memory",
    description: "One memory that you may use.",
    read: (calls, memoryId) => calls.call("getMemory", { params: { memoryId } }),
  },
  {
    path: "receipts/{answerId}",
    name: "receipt",
    title: "A receipt",
    description: "One receipt of yours, with its anchors.",
    read: (calls, answerId) => calls.call("getReceipt", { params: { answerId } }),
  },
];

const described = ({ path: _, read: __, ...about }: Resource) => ({ mimeType: JSON_TYPE, ...about });
const isTemplate = ({ path }: Resource): boolean => path.includes("{");

export const RESOURCES = TABLE.filter((resource) => !isTemplate(resource)).map((resource) => ({
  uri: SCHEME + resource.path,
  ...described(resource),
}));

export const RESOURCE_TEMPLATES = TABLE.filter(isTemplate).map((resource) => ({
  uriTemplate: SCHEME + resource.path,
  ...described(resource),
}));

const LONGEST_URI = 200;

export async function readResource(calls: RouteCalls, uri: string) {
  const document = await documentAt(calls, uri);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(document) }] };
}

function documentAt(calls: RouteCalls, uri: string): Promise<object> {
  const path = uri.startsWith(SCHEME) && uri.length <= LONGEST_URI ? uri.slice(SCHEME.length) : "";
  const [folder, id, ...rest] = path.split("/");
  const found = TABLE.find((resource) =>
    id === undefined ? resource.path === path : resource.path.startsWith(`${folder}/{`),
  );
  if (found === undefined || rest.length > 0)
    throw new PortcullisError("not-found", "There is no resource at this address.");
  return found.read(calls, id ?? "");
}
