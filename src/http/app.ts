// The HTTP interface: the route table, health, pages, the API's description and, in mock mode, the blobs.
import { MCP_PATH } from "#contract/mcp-path.ts";
import { openApiDocument, servedUnder } from "#contract/openapi/document.ts";
import { PAGES } from "#contract/page-paths.ts";
import type { RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import type { RouteClass } from "#core/route-class.ts";
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { createIdempotency } from "#service/idempotency/idempotency.ts";
import { RESOURCE_METADATA_PATH } from "./answer/challenge.ts";
import { type HttpReply, jsonReply } from "./answer/reply.ts";
import type { TransportOptions } from "./edge/client-connection.ts";
import { LIVE_PATH, READY_PATH } from "./edge/health-check.ts";
import type { GuardOptions } from "./edge/origin-guard.ts";
import type { Exchange } from "./exchange.ts";
import { handlers } from "./handlers.ts";
import { createRateLimits } from "./limits/rate-limits.ts";
import { mcpEndpoint } from "./mcp/mcp-endpoint.ts";
import { APP_ONLY_PATHS, appPages, type PlainPageName } from "./pages/app-pages.ts";
import { objectPage, transactionPage } from "./pages/ledger-page.ts";
import { verifyPage } from "./pages/verify-page.ts";
import { verifyStartPage } from "./pages/verify-start-page.ts";
import { pageNotBuilt, welcome } from "./pages/welcome.ts";
import { readiness } from "./readiness.ts";
import { identify } from "./request/authorize.ts";
import { type AnyHandler, endpointOf } from "./route-handler.ts";
import { createRouter, notFound, type Router } from "./router.ts";
import type { WebFiles } from "./static/app-files.ts";
import { llmsText } from "./static/llms-text.ts";
import { sendBlob } from "./static/mock-blobs.ts";
import { resourceMetadata } from "./static/resource-metadata.ts";

export interface AppOptions extends GuardOptions {
  readonly deps: Deps;
  readonly log: Log;
  readonly version: string;
  readonly transport?: TransportOptions | undefined;
  /** Where anyone can GET a blob. Absent in mock mode: this service then answers `GET /v1/blobs/<blobId>` itself. */
  readonly aggregator?: string | undefined;
  /** The app. Without it there are only the pages that the service itself renders. */
  readonly web?: WebFiles | undefined;
  /** False once the process is about to stop. */
  readonly isAccepting: () => boolean;
}

type Render = (exchange: Exchange) => HttpReply | Promise<HttpReply>;

export function createApp(options: AppOptions): Pick<Router, "fetch"> {
  const { deps, log, version, loopbackOnly, sharedWith, transport, aggregator, web, isAccepting } = options;
  const router = createRouter({ log, loopbackOnly, sharedWith, transport, metrics: deps.metrics });
  const limits = createRateLimits({
    quotas: deps.records.quotas,
    perMinute: deps.requestsPerMinute ?? {},
    metrics: deps.metrics,
  });
  const on = (method: string, path: string, render: Render, label?: string) =>
    router.on(method, path, async (exchange) => exchange.response.send(await render(exchange)), label);
  const get = (path: string, render: Render, label?: string) => on("GET", path, render, label);

  const idempotency = createIdempotency(deps);
  router.on("POST", MCP_PATH, mcpEndpoint({ deps, limits, idempotency }, version));
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const endpoint = endpointOf({ deps, limits, idempotency }, name, route, handlers[name as RouteName] as AnyHandler);
    router.on(route.method, path, endpoint);
  }

  const ready = readiness(deps);
  const checks: readonly (readonly [method: string, path: string, check: Render])[] = [
    ...["GET", "OPTIONS"].flatMap((method) => [
      [method, LIVE_PATH, () => jsonReply({ status: "live" })] as const,
      [method, READY_PATH, () => ready(isAccepting())] as const,
    ]),
    ["OPTIONS", "/", () => ready(isAccepting())],
  ];
  for (const check of checks) on(...check);
  const { identities } = deps;
  if (identities !== undefined) {
    // RFC 9728, 3.1: the name of a resource that has a path goes between its host and that path.
    for (const place of new Set(["", transport?.basePath ?? ""])) {
      for (const resource of ["", MCP_PATH]) {
        const metadata: Render = ({ client }) => resourceMetadata(identities, client, resource);
        get(`${RESOURCE_METADATA_PATH}${place}${resource}`, metadata);
      }
    }
  }
  let description: ReturnType<typeof openApiDocument> | undefined;
  get("/openapi.json", ({ client: { basePath } }) => {
    description ??= openApiDocument(version);
    return jsonReply(servedUnder(basePath, description));
  });
  get("/llms.txt", llmsText);
  if (aggregator === undefined) router.on("GET", "/v1/blobs/:blobId", (exchange) => sendBlob(deps, limits, exchange));

  const app = web && appPages(web, deps.about, identities !== undefined);
  const identifier = { authenticator: deps.authenticator, limits };
  /** A page that shows what a route gives is counted as that route is. */
  const counted =
    (routeClass: RouteClass, render: Render): Render =>
    async (exchange) => {
      await limits.count(exchange, routeClass);
      return render(exchange);
    };
  const plainPages: Readonly<Record<PlainPageName, Render>> = {
    console: ({ client }) => welcome(version, client.baseUrl()),
    verify: counted(
      routes.verify.limit,
      ({ request, client: { baseUrl }, params: { receiptId = "" }, response: { signal } }) =>
        verifyPage(deps, request, { receiptId, baseUrl: baseUrl(), aggregator, signal }),
    ),
    verifyStart: counted(routes.findAnchors.limit, ({ request }) => verifyStartPage(deps, new URL(request.url))),
    ledgerTransaction: counted(routes.ledgerTransaction.limit, async (exchange) =>
      transactionPage(deps, exchange.params.digest ?? "", await identify(identifier, exchange)),
    ),
    ledgerObject: counted(routes.ledgerObject.limit, async (exchange) =>
      objectPage(deps, exchange.params.objectId ?? "", await identify(identifier, exchange)),
    ),
  };
  for (const [name, render] of Object.entries(plainPages)) {
    get(PAGES[name as PlainPageName].path, (exchange) =>
      app?.isForApp(exchange.request) ? app.page(exchange) : render(exchange),
    );
  }
  if (app !== undefined) {
    for (const path of APP_ONLY_PATHS) get(path, app.page);
    router.onUnknown(async (exchange) => exchange.response.send(await (app.unknown(exchange) ?? notFound())));
    for (const [path, file] of web?.files ?? []) get(path, ({ request }) => app.file(file, request), "app file");
  } else for (const path of APP_ONLY_PATHS) get(path, pageNotBuilt);
  return router;
}
