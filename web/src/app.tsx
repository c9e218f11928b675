// The routes. The console is in the first load; every other page comes when it is opened.
import { type ComponentType, lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Boundary } from "./layout/error-boundary.tsx";
import { Layout } from "./layout/layout.tsx";
import { ConsolePage } from "./pages/console/console-page.tsx";
import { NotFound } from "./pages/not-found-page.tsx";
import { Loading, Skeleton } from "./ui/skeleton.tsx";

interface PageModule {
  readonly default: ComponentType<{ readonly params: Readonly<Record<string, string | undefined>> }>;
}

const page = (load: () => Promise<PageModule>) => lazy(load);

const ROUTES = [
  ["/companion", page(() => import("./pages/companion/companion-page.tsx"))],
  ["/overview", page(() => import("./pages/overview/overview-page.tsx"))],
  ["/memories", page(() => import("./pages/memories/memories-page.tsx"))],
  ["/policy", page(() => import("./pages/policy/policy-page.tsx"))],
  ["/receipts", page(() => import("./pages/receipts/receipts-page.tsx"))],
  ["/receipts/:answerId", page(() => import("./pages/receipts/receipt-page.tsx"))],
  ["/verify/:receiptId", page(() => import("./pages/verify/verify-page.tsx"))],
  ["/ledger", page(() => import("./pages/ledger/ledger-page.tsx"))],
  ["/ledger/tx/:digest", page(() => import("./pages/ledger/transaction-page.tsx"))],
  ["/ledger/object/:objectId", page(() => import("./pages/ledger/object-page.tsx"))],
] as const;

export function App() {
  return (
    <Layout>
      <Switch>
        <Route path="/" component={ConsolePage} />
        {ROUTES.map(([path, Page]) => (
          <Route key={path} path={path}>
            {(params: Readonly<Record<string, string | undefined>>) => (
              <Boundary key={path}>
                <Suspense fallback={<PageSkeleton />}>
                  <Page params={params} />
                </Suspense>
              </Boundary>
            )}
          </Route>
        ))}
        <Route component={NotFound} />
      </Switch>
    </Layout>
  );
}

function PageSkeleton() {
  return (
    <>
      <Loading what="the page" />
      <Skeleton className="mb-4 h-12 w-72 max-w-full" />
      <Skeleton className="mb-10 h-6 w-[34rem] max-w-full" />
      <Skeleton className="h-96" />
    </>
  );
}
