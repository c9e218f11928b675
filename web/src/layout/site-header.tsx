// The logo, the navigation, who is signed in, and the colour theme. On a phone the navigation is a menu.

import { useEffect, useState } from "react";
import { Link } from "wouter";
import { PAGES, pagePath } from "#contract/page-paths.ts";
import { useHasDemo } from "#web/api/queries.ts";
import { classNames } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Menu, X } from "#web/ui/icons.tsx";
import { Account, SearchButton, ThemeSwitch } from "./header-controls.tsx";

export function SiteHeader({ path }: { readonly path: string }) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const hasDemo = useHasDemo();
  // The companion belongs to the demo. It is the last one, so that it moves nothing when it comes.
  const navigation = usePermissions().navigation.filter(({ path: to }) => hasDemo || to !== PAGES.companion.path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes.
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <header className="print:hidden">
      <div className="border-line border-b bg-card">
        <div className="mx-auto flex max-w-[96rem] flex-wrap items-center gap-x-2 px-4 py-2 lg:gap-x-4 sm:px-8">
          <Link
            href={pagePath("console")}
            className="mr-auto flex min-h-11 items-center gap-2.5 text-ink no-underline lg:mr-4"
          >
            <Logo />
            <span className="font-medium font-serif text-xl tracking-[-0.01em]">Portcullis</span>
          </Link>
          <button
            type="button"
            hidden={navigation.length === 0}
            className="order-2 grid size-11 place-items-center rounded-md hover:bg-well lg:hidden [[hidden]]:hidden"
            aria-expanded={isMenuOpen}
            aria-controls="pages"
            aria-label="Menu"
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {isMenuOpen ? <X className="size-5" /> : <Menu className="size-5" />}
          </button>
          <nav
            id="pages"
            aria-label="Pages"
            className={classNames("order-3 w-full lg:order-1 lg:block lg:w-auto lg:flex-1", !isMenuOpen && "hidden")}
          >
            <ul className="flex flex-col py-2 lg:flex-row lg:gap-0.5 lg:py-0">
              {navigation.map(({ path: href, label }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={isWithin(href, path) ? "page" : undefined}
                    className="flex min-h-11 items-center whitespace-nowrap px-3 text-ink text-sm no-underline underline-offset-8 hover:underline aria-[current]:font-medium aria-[current]:underline aria-[current]:decoration-2 aria-[current]:decoration-iron lg:min-h-10 lg:px-2 xl:px-2.5"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <Account
            path={path}
            className="order-4 w-full border-line border-t py-1.5 lg:order-2 lg:ml-auto lg:w-auto lg:border-0 lg:py-0"
          />
          <div className="order-1 flex items-center lg:order-3">
            {navigation.length > 0 && <SearchButton />}
            <ThemeSwitch />
          </div>
        </div>
      </div>
      <div className="teeth" aria-hidden="true" />
    </header>
  );
}

/** The page itself, or one below it. A receipt is below the activity. */
const isWithin = (parent: string, path: string): boolean =>
  path === parent ||
  (parent !== "/" && path.startsWith(`${parent}/`)) ||
  (parent === PAGES.activity.path && path.startsWith("/receipts/"));

function Logo() {
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
