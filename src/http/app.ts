// The HTTP interface: the route table, health, pages, the API's description and, in mock mode, the blobs.
import { PAGES } from "#contract/page-paths.ts";
import { MCP_PATH, type RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import type { Principal } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { RouteClass } from "#core/route-class.ts";
import type { Log } from "#log.ts";
import type { Tenant } from "#service/tenant.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";
import { type HttpReply, jsonReply, RESOURCE_METADATA_PATH } from "./answer/reply.ts";
import { LIVE_PATH, READY_PATH, type TransportOptions } from "./edge/client-connection.ts";
import type { GuardOptions } from "./edge/origins.ts";
import type { Exchange } from "./exchange.ts";
import { serveGateway } from "./gateway/gateway.ts";
import { handlers } from "./handlers.ts";
import { createBodyBudget } from "./limits/body-budget.ts";
import { callerOf, createRateLimits } from "./limits/rate-limits.ts";
import { createSendBuffers, type SendBuffers } from "./limits/send-buffers.ts";
import { mcpEndpoint } from "./mcp/mcp-endpoint.ts";
import { APP_ONLY_PATHS, appPages, type PlainPageName, pageNotBuilt, welcome } from "./pages/app-pages.ts";
import { objectPage, transactionPage } from "./pages/ledger-page.ts";
import { verifyPage, verifyStartPage } from "./pages/verify-page.ts";
import { readiness } from "./readiness.ts";
import { locate } from "./request/authorize.ts";
import { readQuery } from "./request/read-input.ts";
import { type AnyHandler, endpointOf } from "./route-handler.ts";
import { createRouter, notFound, type Router } from "./router.ts";
import type { WebFiles } from "./static/app-files.ts";
import { apiDescription, llmsText, resourceMetadata } from "./static/descriptions.ts";
import { LOG_PREFIX, logCheckpoint, logTile } from "./static/log-files.ts";
import { sendBlob } from "./static/mock-blobs.ts";

export interface AppOptions extends GuardOptions {
  /** The tenant `default`, with the way to all others. What is public is served with its parts. */
  readonly tenant: Tenant & { readonly tenants: TenantDirectory };
  readonly log: Log;
  readonly version: string;
  readonly transport?: TransportOptions | undefined;
  /** Where anyone can GET a blob. Absent in mock mode: this service then answers `GET /v1/blobs/<blobId>` itself. */
  readonly aggregator?: string | undefined;
  /** The app. Without it there are only the pages that the service itself renders. */
  readonly web?: WebFiles | undefined;
  /** In place of the usual bound on replies that wait for their clients. */
  readonly buffers?: SendBuffers | undefined;
  /** False once the process is about to stop. */
  readonly isAccepting: () => boolean;
}

type Render = (exchange: Exchange) => HttpReply | Promise<HttpReply>;

export function createApp(options: AppOptions): Pick<Router, "fetch"> {
  const { tenant, log, version, loopbackOnly, sharedWith, transport, aggregator, web, isAccepting } = options;
  const { metrics } = tenant;
  const buffers = options.buffers ?? createSendBuffers({}, metrics);
  const tokens = tenant.identities?.tokens;
  const hasIssuer = tokens !== undefined;
  const router = createRouter({ log, loopbackOnly, sharedWith, transport, metrics, buffers, hasIssuer });
  const limits = createRateLimits({
    quotas: tenant.records.quotas,
    perMinute: tenant.settings.requestsPerMinute ?? {},
    tenantRates: tenant.settings.tenantRates,
    metrics,
  });
  const on = (method: string, path: string, render: Render, label?: string) =>
    router.on(method, path, async (exchange) => exchange.response.send(await render(exchange)), label);
  const get = (path: string, render: Render, label?: string) => on("GET", path, render, label);
  /** What programs read, and what takes no parameters: a page may come with those of whoever linked to it. */
  const forPrograms = (path: string, render: Render, method = "GET") =>
    on(method, path, (exchange) => {
      readQuery(exchange.request.url, []);
      return render(exchange);
    });

  /** A page that shows what a route gives is counted as that route is. */
  const counted =
    (routeClass: RouteClass, render: Render): Render =>
    async (exchange) => {
      await limits.count(exchange, routeClass);
      return render(exchange);
    };

  const { authenticator, tenants } = tenant;
  const parts = { tenants, authenticator, limits, bodies: createBodyBudget({}, metrics), metrics };
  router.on("POST", MCP_PATH, mcpEndpoint(parts, version));
  serveGateway(parts, router);
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const endpoint = endpointOf(parts, name, route, handlers[name as RouteName] as AnyHandler);
    router.on(route.method, path, endpoint);
    if (route.streamPath !== undefined)
      router.on(route.method, route.streamPath, (exchange) => endpoint({ ...exchange, isEvents: true }));
  }

  const ready = readiness(tenant);
  const isReady: Render = () => ready(isAccepting());
  for (const method of ["GET", "OPTIONS"]) {
    forPrograms(LIVE_PATH, () => jsonReply({ status: "live" }), method);
    forPrograms(READY_PATH, isReady, method);
  }
  on("OPTIONS", "/", isReady);
  const { identities } = tenant;
  if (tokens !== undefined) {
    // RFC 9728, 3.1: the name of a resource that has a path goes between its host and that path.
    for (const place of new Set(["", transport?.basePath ?? ""])) {
      for (const resource of ["", MCP_PATH]) {
        const metadata: Render = ({ client }) => resourceMetadata(tokens, client, resource);
        forPrograms(`${RESOURCE_METADATA_PATH}${place}${resource}`, metadata);
      }
    }
  }
  forPrograms("/openapi.json", apiDescription());
  forPrograms("/llms.txt", llmsText);
  forPrograms(
    `${LOG_PREFIX}checkpoint`,
    counted("read", () => logCheckpoint(tenant.log)),
  );
  forPrograms(
    `${LOG_PREFIX}tile/*`,
    counted("read", (exchange) => logTile(tenant.log, exchange)),
  );
  if (aggregator === undefined) router.on("GET", "/v1/blobs/:blobId", (exchange) => sendBlob(parts, exchange));

  const app = web && appPages(web, tenant.about, identities !== undefined);
  /** In the tenant that has published what the path names, or in the caller's. */
  const inTenant = async (exchange: Exchange, show: (tenant: Tenant, principal: Principal) => Promise<HttpReply>) => {
    const caller = await locate(parts, routes.ledgerObject, exchange);
    return parts.tenants.useRecords(caller.tenant, (found) => show(found, caller));
  };
  /** In the tenant that has published the id, for whoever it is. */
  const published = async (id: string, show: (tenant: Tenant) => Promise<HttpReply>) =>
    parts.tenants.useRecords((await parts.tenants.ownerOf(id)) ?? DEFAULT_TENANT, show);
  const plainPages: Readonly<Record<PlainPageName, Render>> = {
    console: ({ client }) => welcome(version, client.baseUrl()),
    verify: counted(routes.verify.limit, ({ request, client, params: { receiptId = "" }, response: { signal } }) => {
      const options = { receiptId, caller: callerOf(client), baseUrl: client.baseUrl(), aggregator, signal };
      return published(receiptId, (owner) => verifyPage(owner, request, options));
    }),
    verifyStart: counted(routes.findAnchors.limit, ({ request }) => {
      const id = new URL(request.url).searchParams.get("q")?.trim() ?? "";
      return published(id, (owner) => verifyStartPage(owner, id));
    }),
    ledgerTransaction: counted(routes.ledgerTransaction.limit, (exchange) =>
      inTenant(exchange, (own, principal) => transactionPage(own, exchange.params.digest ?? "", principal)),
    ),
    ledgerObject: counted(routes.ledgerObject.limit, (exchange) =>
      inTenant(exchange, (own, principal) => objectPage(own, exchange.params.objectId ?? "", principal)),
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
