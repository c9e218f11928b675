// Decides what a visitor of a page gets: the page, the form to sign in, or the sentence that the page is not for them.
import { Component, type ReactNode } from "react";
import { Link, Redirect } from "wouter";
import { type PageName, pagePath } from "#contract/page-paths.ts";
import { client } from "#web/api/client.ts";
import { SignInPage } from "#web/pages/sign-in-page.tsx";
import { audienceOf, principalOf, roleInWords, usePermissions } from "#web/session/permissions.ts";
import { loadSession, type Session, useSessionState } from "#web/session/session.ts";
import { Button } from "#web/ui/form.tsx";
import { EmptyState, PageHeader } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Name } from "#web/ui/text.tsx";

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
  return <NotAllowedPage name={name} session={session} />;
}

interface State {
  readonly isBroken: boolean;
  /** The user tried again, and the service did not answer. */
  readonly isServiceDown: boolean;
}

/** Shows a message in place of a page that failed to load or to render. React has error boundaries as classes only. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { isBroken: false, isServiceDown: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  /** A browser does not fetch a failed module again, so the whole page is loaded again, once the service answers. */
  readonly #tryAgain = () => {
    client.getService().then(
      () => location.reload(),
      () => this.setState({ isServiceDown: true }),
    );
  };

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <EmptyState title="This page could not be shown.">
        <p role="status">
          {this.state.isServiceDown
            ? "The service does not answer. Try again in a moment."
            : "The service did not answer, or the app was updated."}
        </p>
        <Button className="mt-4" onClick={this.#tryAgain}>
          Try again
        </Button>
      </EmptyState>
    );
  }
}

/** In place of a page that the visitor's role may not open. */
function NotAllowedPage({ name, session }: { readonly name: PageName; readonly session: Session }) {
  const role = (
    <>
      You are signed in as <Name>{roleInWords(principalOf(session))}</Name>.
    </>
  );
  return (
    <>
      <PageHeader
        title={session.identities ? audienceOf(name, session.role) : "No keys"}
        lede={session.identities ? role : "This service has no sign-in, so it has no keys."}
      />
      <Link href={pagePath("console")}>Back to your pages</Link>
    </>
  );
}

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="No such page" lede="There is no page at this address." />
      <Link href={pagePath("console")}>Back to the console</Link>
    </>
  );
}
