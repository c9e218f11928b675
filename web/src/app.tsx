// The router: a component for each page of the table, which is loaded when it is visited.
import { type ComponentType, lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { PAGES, type PageName, type PageParams } from "#contract/page-paths.ts";
import { prefetchGates } from "./api/queries.ts";
import { Layout } from "./layout/layout.tsx";
import { ErrorBoundary, NotFoundPage, PageGate } from "./layout/page-gate.tsx";
import { useSessionState, whenCallerChanges } from "./session/session.ts";
import { focusNextHeading, Skeleton } from "./ui/page.tsx";

const COMPONENTS: { readonly [N in PageName]: ComponentType<{ readonly params: PageParams<N> }> } = {
  console: lazy(() => import("./pages/console/console-page.tsx")),
  companion: lazy(() => import("./pages/companion/companion-page.tsx")),
  overview: lazy(() => import("./pages/overview/overview-page.tsx")),
  memories: lazy(() => import("./pages/memories/memories-page.tsx")),
  policy: lazy(() => {
    prefetchGates();
    return import("./pages/policy/policy-page.tsx");
  }),
  receipt: lazy(() => import("./pages/receipts/receipt-page.tsx")),
  activity: lazy(() => import("./pages/activity/activity-page.tsx")),
  verify: lazy(() => import("./pages/verify/verify-page.tsx")),
  verifyStart: lazy(() => import("./pages/verify-start/verify-start-page.tsx")),
  ledger: lazy(() => import("./pages/ledger/ledger-page.tsx")),
  ledgerTransaction: lazy(() => import("./pages/ledger/transaction-page.tsx")),
  ledgerObject: lazy(() => import("./pages/ledger/object-page.tsx")),
  log: lazy(() => import("./pages/log/log-page.tsx")),
  proposals: lazy(() => import("./pages/proposals/proposals-page.tsx")),
  webhooks: lazy(() => import("./pages/webhooks/webhooks-page.tsx")),
  docs: lazy(() => import("./pages/docs/docs-page.tsx")),
  agent: lazy(() => import("./pages/agent/agent-page.tsx")),
  namespace: lazy(() => import("./pages/namespace/namespace-page.tsx")),
  memory: lazy(() => import("./pages/memory/memory-page.tsx")),
  begin: lazy(() => import("./pages/begin/begin-page.tsx")),
  connect: lazy(() => import("./pages/connect/connect-page.tsx")),
  keys: lazy(() => import("./pages/keys/keys-page.tsx")),
  tenants: lazy(() => import("./pages/tenants/tenants-page.tsx")),
};

/** The router gives each page the parameters of its own path, which the table types. */
const ROUTES = Object.entries(COMPONENTS) as unknown as readonly [
  name: PageName,
  Page: ComponentType<{ readonly params: unknown }>,
][];

whenCallerChanges(focusNextHeading);

export function App() {
  const { caller } = useSessionState();
  return (
    // The key drops what the pages of another caller hold.
    <Layout key={caller}>
      <Switch>
        {ROUTES.map(([name, Page]) => (
          <Route key={name} path={PAGES[name].path}>
            {(params: unknown) => (
              <ErrorBoundary key={name}>
                <PageGate name={name} fallback={<PageSkeleton />}>
                  <Suspense fallback={<PageSkeleton />}>
                    {/* Another name is another page: nothing of the one before stays. */}
                    <Page key={JSON.stringify(params)} params={params} />
                  </Suspense>
                </PageGate>
              </ErrorBoundary>
            )}
          </Route>
        ))}
        <Route component={NotFoundPage} />
      </Switch>
    </Layout>
  );
}

const PageSkeleton = () => (
  <>
    <Skeleton what="the page" className="mb-4 h-12 w-72 max-w-full" />
    <Skeleton className="mb-10 h-6 w-[34rem] max-w-full" />
    <Skeleton className="h-96" />
  </>
);
