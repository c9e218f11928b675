// The logo, the navigation, who is signed in, and the colour theme. On a phone the navigation is a menu.

import { useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { PAGES, pagePath } from "#contract/page-paths.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { useHasDemo } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { useStore } from "#web/lib/store.ts";
import { classNames } from "#web/lib/strings.ts";
import { isPublicPath, principalOf, roleInWords, usePermissions } from "#web/session/permissions.ts";
import { type Session, signOut, useSessionState } from "#web/session/session.ts";
import { Button } from "#web/ui/form.tsx";
import { Menu, Monitor, Moon, Search, Sun, X } from "#web/ui/icons.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { markLoading } from "#web/ui/page.tsx";
import { Name } from "#web/ui/text.tsx";
import { setTheme, THEMES, theme } from "./theme.ts";

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

const Logo = () => (
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

function Account({ path, className }: { readonly path: string; readonly className: string }) {
  const { session, error, chosenTenant } = useSessionState();
  if (session === undefined) return error === undefined && <div ref={markLoading} className={className} />;
  if (!session.identities && chosenTenant !== undefined) {
    return (
      <div className={className}>
        <TenantSwitch tenant={chosenTenant} />
      </div>
    );
  }
  if (!session.identities) {
    return (
      <p
        title="To give everybody a key of their own, set AUTH=keys."
        className="order-2 hidden text-soft text-xs lg:block"
      >
        No sign-in: everybody is an admin
      </p>
    );
  }
  if (!session.signedIn && !isPublicPath(path)) return null;
  return (
    <div className={className}>
      {session.signedIn ? (
        <SignedIn session={session} />
      ) : (
        // Public pages are shown to everybody. The console asks for a key.
        <Link href={pagePath("console")} className="inline-flex min-h-10 items-center px-1.5 text-sm">
          Sign in
        </Link>
      )}
    </div>
  );
}

/** Where somebody acts who may act in several tenants, and the way to another. */
const TenantSwitch = lazyPart(
  async () => (await import("./tenant-dialog.tsx")).default,
  <span className="block min-h-7" />,
);

function SignedIn({ session }: { readonly session: Session }) {
  const { chosenTenant } = useSessionState();
  const [, navigate] = useLocation();
  const leaving = useMutation({
    async mutationFn() {
      await signOut();
      // The address may name something of the caller's.
      navigate(pagePath("console"), { replace: true });
    },
  });
  const role = roleInWords(principalOf(session));
  const { tenant = DEFAULT_TENANT.id } = session;
  return (
    <div className="flex items-center justify-between gap-3">
      <p role="status" className="min-w-0 lg:max-w-48 text-sm leading-tight">
        <span className="sr-only">Signed in as </span>
        <span className="flex gap-1">
          <Name className="line-clamp-1 font-medium">{session.name}</Name>
          {tenant !== DEFAULT_TENANT.id && chosenTenant === undefined && (
            <span title={`Tenant ${tenant}`} className="line-clamp-1 break-all">
              {" "}
              <span className="text-soft">in</span> <Name>{tenant}</Name>
            </span>
          )}
        </span>
        <span className="sr-only">, </span>
        <span title={role} className="line-clamp-1 text-soft text-xs">
          <Name>{role}</Name>
        </span>
        {leaving.isError && <span className="block text-fail text-xs">Still signed in. Try again.</span>}
      </p>
      {chosenTenant !== undefined && <TenantSwitch tenant={chosenTenant} />}
      <Button look="plain" className="flex-none" busy={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
    </div>
  );
}

const CommandPalette = lazyPart(async () => (await import("#web/palette/command-palette.tsx")).default);

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The button that opens the search over everything, which Ctrl-K and ⌘K open as well. */
function SearchButton() {
  // Numbered: "close" arrives after the dialog has closed, and must not end the one that was opened in between.
  const [opened, setOpened] = useState({ count: 0, isOpen: false });
  const open = useCallback(() => setOpened(({ count }) => ({ count: count + 1, isOpen: true })), []);
  const close = (closed: number) => setOpened((now) => (now.count === closed ? { ...now, isOpen: false } : now));
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // A dialog that is open asks for an answer first.
      if (document.querySelector("dialog[open]") === null) open();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [open]);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        title={IS_APPLE ? "Search (⌘K)" : "Search (Ctrl-K)"}
        onClick={open}
        className="inline-flex min-h-11 items-center gap-2 rounded-md px-2.5 text-sm text-soft hover:bg-well hover:text-ink"
      >
        <Search className="size-4.5" />
        <span className="sr-only xl:not-sr-only">Search</span>
        <kbd className="hidden rounded-sm border border-line px-1.5 text-xs xl:pointer-fine:inline">
          {IS_APPLE ? "⌘K" : "Ctrl K"}
        </kbd>
      </button>
      {opened.isOpen && <CommandPalette key={opened.count} onClose={() => close(opened.count)} />}
    </>
  );
}

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeSwitch() {
  const now = useStore(theme);
  const Icon = ICONS[now];
  return (
    <button
      type="button"
      onClick={() => setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? "system")}
      aria-label={`Colours: ${now}`}
      title={`Colours: ${now}`}
      className="grid size-10 place-items-center rounded-md text-soft hover:bg-well hover:text-ink"
    >
      <Icon className="size-4.5" />
    </button>
  );
}
