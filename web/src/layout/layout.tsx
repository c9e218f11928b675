// What stands around every page: the lintel with the navigation, the honest banner, the page, the foot.
import { Menu, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { classes } from "#web/lib/class-names.ts";
import { Banner } from "./stand-in-banner.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const PAGES = [
  ["/", "Console"],
  ["/companion", "Companion"],
  ["/memories", "Memories"],
  ["/policy", "Policy"],
  ["/receipts", "Receipts"],
  ["/ledger", "Ledger"],
  ["/overview", "Overview"],
] as const;

export function Layout({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  // A new page begins at its top. Going back is the browser's affair: it remembers where one was.
  useEffect(() => {
    const toTop = () => location.pathname !== path && scrollTo(0, 0);
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
      <Lintel path={path} />
      <Banner />
      <main id="main" tabIndex={-1} className="mx-auto min-h-[70dvh] max-w-[96rem] px-4 pt-6 pb-20 sm:px-8 sm:pt-10">
        {children}
      </main>
      <footer className="mx-auto flex max-w-[96rem] flex-wrap items-center gap-x-6 gap-y-1 px-4 pb-10 text-soft text-xs sm:px-8 print:hidden">
        <span>Portcullis keeps the gate.</span>
        <a href="/openapi.json" className="inline-flex min-h-7 items-center">
          The API, described
        </a>
      </footer>
    </>
  );
}

function Lintel({ path }: { readonly path: string }) {
  const [shown, setShown] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu folds away when the page changes.
  useEffect(() => setShown(false), [path]);
  return (
    <header className="print:hidden">
      <div className="border-line border-b bg-card">
        <div className="mx-auto flex max-w-[96rem] flex-wrap items-center gap-x-2 px-4 py-2 lg:gap-x-8 sm:px-8">
          <Link href="/" className="mr-auto flex min-h-11 items-center gap-2.5 text-ink no-underline lg:mr-4">
            <Emblem />
            <span className="font-medium font-serif text-xl tracking-[-0.01em]">Portcullis</span>
          </Link>
          <button
            type="button"
            className="order-2 grid size-11 place-items-center rounded-md hover:bg-well lg:hidden"
            aria-expanded={shown}
            aria-controls="pages"
            aria-label="Menu"
            onClick={() => setShown(!shown)}
          >
            {shown ? <X className="size-5" aria-hidden="true" /> : <Menu className="size-5" aria-hidden="true" />}
          </button>
          <nav
            id="pages"
            aria-label="Pages"
            className={classes("order-3 w-full lg:order-1 lg:block lg:w-auto lg:flex-1", !shown && "hidden")}
          >
            <ul className="flex flex-col py-2 lg:flex-row lg:gap-1 lg:py-0">
              {PAGES.map(([href, label]) => (
                <li key={href}>
                  <PageLink href={href} here={path === href || (href !== "/" && path.startsWith(`${href}/`))}>
                    {label}
                  </PageLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="order-1 lg:order-2">
            <ThemeSwitch />
          </div>
        </div>
      </div>
      <div className="teeth" aria-hidden="true" />
    </header>
  );
}

interface PageLinkProps {
  readonly href: string;
  readonly here: boolean;
  readonly children: string;
}

function PageLink({ href, here, children }: PageLinkProps) {
  return (
    <Link
      href={href}
      aria-current={here ? "page" : undefined}
      className={classes(
        "flex min-h-11 items-center px-3 text-ink text-sm lg:min-h-10",
        here
          ? "font-medium underline decoration-2 decoration-iron underline-offset-8"
          : "no-underline hover:underline hover:underline-offset-8",
      )}
    >
      {children}
    </Link>
  );
}

function Emblem() {
  return (
    <svg viewBox="0 0 24 24" className="size-7 text-iron" aria-hidden="true">
      <path
        d="M3 21V10a9 9 0 0 1 18 0v11M7.5 4.8V19M12 3v18M16.5 4.8V19M3.4 9h17.2M3 14h18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
