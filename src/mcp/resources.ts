// Resources: what the agent may see, as JSON documents with addresses. Each is the reply of one route.
import { PortcullisError } from "#core/errors.ts";
import type { RouteCalls } from "./route-calls.ts";

const SCHEME = "portcullis://";
const JSON_TYPE = "application/json";
const NEWEST = 50;

interface Listed {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  read(calls: RouteCalls): Promise<object>;
}

interface Templated {
  readonly folder: string;
  readonly parameter: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  read(calls: RouteCalls, id: string): Promise<object>;
}

const LISTED: readonly Listed[] = [
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
];

const TEMPLATED: readonly Templated[] = [
  {
    folder: "memories",
    parameter: "memoryId",
    name: "memory",
    title: "A memory",
    description: "One memory that you may use.",
    read: (calls, memoryId) => calls.call("getMemory", { params: { memoryId } }),
  },
  {
    folder: "receipts",
    parameter: "answerId",
    name: "receipt",
    title: "A receipt",
    description: "One receipt of yours, with its anchors.",
    read: (calls, answerId) => calls.call("getReceipt", { params: { answerId } }),
  },
];

export const RESOURCES = LISTED.map(({ path, read: _, ...listed }) => ({
  uri: SCHEME + path,
  mimeType: JSON_TYPE,
  ...listed,
}));

export const RESOURCE_TEMPLATES = TEMPLATED.map(({ folder, parameter, read: _, ...templated }) => ({
  uriTemplate: `${SCHEME}${folder}/{${parameter}}`,
  mimeType: JSON_TYPE,
  ...templated,
}));

const LONGEST_URI = 200;

/** The JSON document at this address. */
export async function readResource(calls: RouteCalls, uri: string) {
  const document = await documentAt(calls, uri);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(document) }] };
}

function documentAt(calls: RouteCalls, uri: string): Promise<object> {
  const path = uri.startsWith(SCHEME) && uri.length <= LONGEST_URI ? uri.slice(SCHEME.length) : "";
  const listed = LISTED.find((resource) => resource.path === path);
  if (listed !== undefined) return listed.read(calls);
  const [folder, id = "", ...rest] = path.split("/");
  const templated = TEMPLATED.find((resource) => resource.folder === folder);
  if (templated === undefined || rest.length > 0)
    throw new PortcullisError("not-found", "There is no resource at this address.");
  return templated.read(calls, id);
}
