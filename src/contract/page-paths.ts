// The pages of the web app, one row a page: the service serves these paths, the app routes and links to them, and the
// tests visit them. To add a page, add a row here and its component in web/src/app.tsx.

interface Page {
  /** `:name` stands for a parameter. */
  readonly path: `/${string}`;
  /** The page's name in the navigation. The navigation has the pages in the order of this table. */
  readonly label?: string;
  readonly footer?: string;
  /** The service also renders this page itself, for a reader without script. */
  readonly hasPlainVersion?: true;
  /** Only for a service that has identities. */
  readonly forIdentities?: true;
  /** In the navigation of operators. Who is an admin as well has it in the footer. */
  readonly forOperators?: true;
}

export const PAGES = {
  console: { path: "/", label: "Console", hasPlainVersion: true },
  memories: { path: "/memories", label: "Memories" },
  policy: { path: "/policy", label: "Policy" },
  activity: { path: "/activity", label: "Activity" },
  overview: { path: "/overview", label: "Overview" },
  tenants: { path: "/tenants", label: "Tenants", forOperators: true },
  verifyStart: { path: "/verify", label: "Verify", hasPlainVersion: true },
  keys: { path: "/keys", label: "Keys", forIdentities: true },
  companion: { path: "/companion", label: "Companion" },
  begin: { path: "/begin", footer: "Begin with your own" },
  connect: { path: "/connect", footer: "Connect an agent" },
  ledger: { path: "/ledger", footer: "Ledger" },
  log: { path: "/log", footer: "Log" },
  proposals: { path: "/proposals", footer: "Proposals" },
  webhooks: { path: "/webhooks", footer: "Webhooks" },
  docs: { path: "/docs", footer: "API reference" },
  receipt: { path: "/receipts/:answerId" },
  verify: { path: "/verify/:receiptId", hasPlainVersion: true },
  agent: { path: "/agents/:agentId" },
  namespace: { path: "/namespaces/:name" },
  memory: { path: "/memories/:memoryId" },
  ledgerTransaction: { path: "/ledger/tx/:digest", hasPlainVersion: true },
  ledgerObject: { path: "/ledger/object/:objectId", hasPlainVersion: true },
} as const satisfies Readonly<Record<string, Page>>;

/** Where pages were before: a browser that asks for one is sent on. */
export const MOVED_PAGES: ReadonlyMap<string, string> = new Map([
  ["/receipts", `${PAGES.activity.path}?kind=answer`],
  ["/reports", PAGES.overview.path],
]);

export type PageName = keyof typeof PAGES;

type ParameterOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export type PageParams<N extends PageName> = { readonly [P in ParameterOf<(typeof PAGES)[N]["path"]>]: string };

type FixedPageName = { [N in PageName]: keyof PageParams<N> extends never ? N : never }[PageName];

/** The path of one page, for a link: `pagePath("receipt", { answerId })`. */
export function pagePath(name: FixedPageName): string;
export function pagePath<N extends PageName>(name: N, params: PageParams<N>): string;
export function pagePath(name: PageName, params: Readonly<Record<string, string>> = {}): string {
  return PAGES[name].path.replace(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(params[parameter] ?? ""));
}
