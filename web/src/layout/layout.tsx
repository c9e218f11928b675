// The frame of every page: site header, banner, main content, footer.

import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import type { Reply } from "#contract/routes.ts";
import { useLiveUpdates } from "#web/api/live-updates.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { lostSince } from "#web/api/shared-feed.ts";
import { BASE_PATH, routePath } from "#web/lib/address.ts";
import { useStore } from "#web/lib/store.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { GateIconShapes } from "#web/ui/gate-icon.tsx";
import { SiteHeader } from "./site-header.tsx";

export function Layout({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  const { footer } = usePermissions();
  useLiveUpdates();
  // A new page starts at its top. lib/scroll-positions.ts restores the position when the user goes back.
  useEffect(() => {
    const toTop = () => routePath(location.pathname) !== path && scrollTo(0, 0);
    addEventListener("pushState", toTop);
    return () => removeEventListener("pushState", toTop);
  }, [path]);
  return (
    <>
      <a
        href="#main"
        className="sr-only z-10 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:rounded-md focus:bg-ink focus:px-4 focus:py-2 focus:text-paper"
      >
        Skip to content
      </a>
      <GateIconShapes />
      <SiteHeader path={path} />
      <StandInBanner />
      {/* As high as the window, so that a page that grows while it loads does not push the footer through it. */}
      <main id="main" tabIndex={-1} className="mx-auto min-h-dvh max-w-[96rem] px-4 pt-6 pb-20 sm:px-8 sm:pt-10">
        {children}
      </main>
      <ConnectionNote />
      <footer className="mx-auto flex max-w-[96rem] flex-wrap items-center gap-x-6 gap-y-1 px-4 pb-10 text-soft text-xs sm:px-8 print:hidden">
        {footer.map(({ path: href, label }) => (
          <Link key={href} href={href} className="inline-flex min-h-11 items-center">
            {label}
          </Link>
        ))}
        <a href={`${BASE_PATH}/guides/index.html`} className="inline-flex min-h-11 items-center">
          Guides
        </a>
      </footer>
    </>
  );
}

/** Gates are shown as they stand now. Without a connection nobody knows. */
function ConnectionNote() {
  const since = useStore(lostSince);
  return (
    <p
      role="status"
      className="fixed inset-x-4 bottom-4 z-10 mx-auto w-fit rounded-md border border-unknown bg-unknown-wash px-4 py-2 text-sm shadow-lift empty:hidden print:hidden"
    >
      {since !== undefined && (
        <>
          Not connected since {since.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}. What you see
          may be old.
        </>
      )}
    </p>
  );
}

/** Names the parts of this service that stand in for real ones. */
function StandInBanner() {
  const { data } = useServiceInfo();
  const standIns = data === undefined ? [] : STAND_INS.filter(([applies]) => applies(data));
  return (
    // The height is reserved while the service has not answered yet, so that nothing on the page moves.
    <aside aria-label="About this service" className="min-h-9 print:hidden">
      {standIns.length > 0 && (
        <details className="mx-auto max-w-[96rem] px-4 pt-1.5 text-soft text-xs sm:px-8">
          <summary className="inline-flex min-h-7 list-none flex-wrap items-center gap-x-4 sm:gap-x-5 rounded-sm [&::-webkit-details-marker]:hidden">
            {standIns.length === STAND_INS.length ? (
              <span>
                Demo mode<span className="max-sm:sr-only">: everything stays on this machine.</span>
              </span>
            ) : (
              standIns.map(([, name, meaning]) => (
                <span key={name}>
                  {name}
                  <span className="sr-only lg:not-sr-only">: {meaning}</span>
                </span>
              ))
            )}
            <span className="underline underline-offset-4">Go live →</span>
          </summary>
          <ul className="measure flex flex-col gap-1 py-2">
            {standIns.map(([, name, meaning, remedy]) => (
              <li key={name}>
                {name}: {meaning}. {remedy}
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

type Service = Reply<"getService">;

/** What stands in for a real part, what that means, and how to replace it. */
const STAND_INS: readonly (readonly [applies: (service: Service) => boolean, ...texts: [string, string, string]])[] = [
  [
    ({ blobs }) => blobs.kind === "memory",
    "Mock blob store",
    "blobs are kept in this process",
    "To use Walrus, set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR.",
  ],
  [
    ({ ledger }) => ledger.network === "local",
    "Local ledger",
    "its operator can rewrite it",
    "To use Sui, set SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID and SUI_GATE_ID.",
  ],
  [
    ({ model }) => model.kind === "extractive",
    "Demo model",
    "quotes memories only",
    "To use a language model, set MODEL_BASE_URL and MODEL_NAME.",
  ],
];
