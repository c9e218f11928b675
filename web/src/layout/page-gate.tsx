// Decides what a visitor of a page gets: the page, the form to sign in, or the sentence that the page is not for them.
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import type { PageName } from "#contract/page-paths.ts";
import { NotAllowedPage } from "#web/pages/not-allowed-page.tsx";
import { SignInPage } from "#web/pages/sign-in-page.tsx";
import { loadSession, useSessionState } from "#web/session/session.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { ProblemNote } from "#web/ui/problem-note.tsx";

interface PageGateProps {
  readonly name: PageName;
  /** Shown until the service has said who the visitor is. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

export function PageGate({ name, fallback, children }: PageGateProps) {
  const { session, error, wasSignedOut } = useSessionState();
  const { mayOpen, navigation } = usePermissions();
  // Also before the service has answered: a public page is for everybody.
  if (mayOpen(name)) return children;
  if (session === undefined) {
    return error === undefined ? fallback : <ProblemNote error={error} onRetry={() => void loadSession()} />;
  }
  if (session.role === "public") return <SignInPage wasSignedOut={wasSignedOut} />;
  const [first] = navigation;
  // Whoever has no console begins with the first of their pages.
  if (name === "console" && first !== undefined) return <Redirect to={first.path} replace />;
  return <NotAllowedPage session={session} />;
}
