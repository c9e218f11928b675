// Decides what a visitor of a page gets: the page, the form to sign in, or the sentence that the page is not for them.

import { Component, type ReactNode, useRef, useState } from "react";
import { Link, Redirect } from "wouter";
import { type PageName, pagePath } from "#contract/page-paths.ts";
import { ProblemError } from "#contract/problem.ts";
import { client } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { audienceOf, principalOf, roleInWords, usePermissions } from "#web/session/permissions.ts";
import { loadSession, type Session, signIn, useSessionState } from "#web/session/session.ts";
import { Button, Field, Form, RunButton, TextInput } from "#web/ui/form.tsx";
import { Eye, EyeOff } from "#web/ui/icons.tsx";
import { EmptyState, focusOnce, PageHeader } from "#web/ui/page.tsx";
import { FaultNote, ProblemNote } from "#web/ui/status.tsx";
import { Name, say } from "#web/ui/text.tsx";

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

  /** The app may have been updated, so the whole page is loaded again, once the service answers. */
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
  const role = say("You are signed in as ", <Name>{roleInWords(principalOf(session))}</Name>, ".");
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

export const NotFoundPage = () => (
  <>
    <PageHeader title="No such page" lede="There is no page at this address." />
    <Link href={pagePath("console")}>Back to the console</Link>
  </>
);

const SignInPage = ({ wasSignedOut }: { readonly wasSignedOut: boolean }) => (
  <div className="mx-auto max-w-[32rem] sm:pt-8">
    <PageHeader
      title="Sign in"
      lede={
        wasSignedOut ? "You were signed out. Sign in again to continue." : "Enter the key that your admin gave you."
      }
    />
    <KeyForm />
  </div>
);

function KeyForm() {
  const field = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const [refusal, setRefusal] = useState<ReturnType<typeof refusalFor>>();
  const attempt = useMutation({
    // The key is read from the field and is no variable of the mutation, so that the cache does not keep it.
    mutationFn: () => signIn(field.current?.value.trim() ?? ""),
    onError: (error) => setRefusal(refusalFor(error)),
  });

  function submit(): void {
    if (attempt.isPending) return;
    setRefusal(undefined);
    if (field.current?.value.trim() === "") setRefusal({ title: "Enter your key.", detail: "" });
    else attempt.mutate();
  }

  const Icon = isShown ? EyeOff : Eye;
  return (
    // A form that sends itself would use POST. The page's policy forbids even that.
    <Form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal !== undefined && <FaultNote {...refusal} ref={focusOnce} tabIndex={-1} className="text-sm" />}
      <Field label="Key" hint="It begins with portcullis_. This browser stores a session, not the key.">
        {(control) => (
          <div className="relative">
            <TextInput
              {...control}
              ref={field}
              name="key"
              type={isShown ? "text" : "password"}
              dir="ltr"
              required
              autoComplete="current-password"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={MAX_LENGTH}
              className="pr-13 font-mono text-sm"
            />
            <button
              type="button"
              aria-label="Show the key"
              aria-pressed={isShown}
              title={isShown ? "Hide the key" : "Show the key"}
              className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-soft hover:text-ink"
              onClick={() => setShown(!isShown)}
            >
              <Icon className="size-5" />
            </button>
          </div>
        )}
      </Field>
      <RunButton type="submit" className="self-start" of={attempt} words={["Sign in", "Signing in …"]} />
    </Form>
  );
}

/** A key has 61 characters. A pasted one may have blanks around it. */
const MAX_LENGTH = 200;

function refusalFor(error: unknown): { readonly title: string; readonly detail: string } {
  if (!(error instanceof ProblemError))
    return { title: "The service did not answer.", detail: "Check that it is running, then try again." };
  if (error.status === 401)
    return {
      title: "This key is not valid.",
      detail: "It may be mistyped, revoked or expired. Ask the admin for another.",
    };
  if (error.status === 429) return { title: "Too many attempts.", detail: "Try again in a minute." };
  return { title: "Sign-in failed.", detail: error.problem.detail };
}
