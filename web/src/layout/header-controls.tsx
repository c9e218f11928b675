// Who is signed in, and the button to sign out.
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { isPublicPath, principalOf, roleInWords } from "#web/session/permissions.ts";
import { type Session, signOut, useSessionState } from "#web/session/session.ts";
import { Button } from "#web/ui/form.tsx";
import { Monitor, Moon, Search, Sun } from "#web/ui/icons.tsx";
import { markLoading } from "#web/ui/page.tsx";
import { Name } from "#web/ui/text.tsx";

export function Account({ path, className }: { readonly path: string; readonly className: string }) {
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
  return <div className={className}>{session.signedIn ? <SignedIn session={session} /> : <SignInLink />}</div>;
}

const TenantDialog = lazy(() => import("./tenant-dialog.tsx"));

/** Where somebody acts who may act in several tenants, and the way to another. */
const TenantSwitch = ({ tenant }: { readonly tenant: string }) => (
  <Suspense fallback={<span className="block min-h-7" />}>
    <TenantDialog tenant={tenant} />
  </Suspense>
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

/** Public pages are shown to everybody. The console asks for a key. */
const SignInLink = () => (
  <Link href={pagePath("console")} className="inline-flex min-h-10 items-center px-1.5 text-sm">
    Sign in
  </Link>
);

const CommandPalette = lazy(() => import("#web/palette/command-palette.tsx"));

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The button that opens the search over everything, which Ctrl-K and ⌘K open as well. */
export function SearchButton() {
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
      {opened.isOpen && (
        <Suspense>
          <CommandPalette key={opened.count} onClose={() => close(opened.count)} />
        </Suspense>
      )}
    </>
  );
}

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

/** The colour theme. public/theme.js applies the stored choice before the first paint. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const Icon = ICONS[theme];
  function selectNext(): void {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    applyTheme(next);
    setTheme(next);
  }
  return (
    <button
      type="button"
      onClick={selectNext}
      aria-label={`Colours: ${theme}`}
      title={`Colours: ${theme}`}
      className="grid size-10 place-items-center rounded-md text-soft hover:bg-well hover:text-ink"
    >
      <Icon className="size-4.5" />
    </button>
  );
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // The browser refuses storage: the choice lasts until the page is closed.
  }
}
