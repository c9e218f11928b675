// The frame of every page: site header, banner, main content, footer.
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useLiveUpdates } from "#web/api/live-updates.ts";
import { routePath } from "#web/lib/base-path.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { GateIconShapes } from "#web/ui/gate-icon.tsx";
import { SiteHeader } from "./site-header.tsx";
import { StandInBanner } from "./stand-in-banner.tsx";

export function Layout({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  const { footer } = usePermissions();
  useLiveUpdates();
  // A new page starts at its top. When the user goes back, the browser restores the position.
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
        Skip to the page
      </a>
      <GateIconShapes />
      <SiteHeader path={path} />
      <StandInBanner />
      {/* As high as the window, so that a page that grows while it loads does not push the footer through it. */}
      <main id="main" tabIndex={-1} className="mx-auto min-h-dvh max-w-[96rem] px-4 pt-6 pb-20 sm:px-8 sm:pt-10">
        {children}
      </main>
      <footer className="mx-auto flex max-w-[96rem] flex-wrap items-center gap-x-6 gap-y-1 px-4 pb-10 text-soft text-xs sm:px-8 print:hidden">
        <span>Portcullis: memory for AI agents, with a gate and a receipt.</span>
        {footer.map(({ path: href, label }) => (
          <Link key={href} href={href} className="inline-flex min-h-11 items-center">
            {label}
          </Link>
        ))}
      </footer>
    </>
  );
}
