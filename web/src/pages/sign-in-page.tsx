// The form to sign in with a key, in place of the page that was asked for. The key is in the form's field and in one
// request, and nowhere else: no state, no storage, no URL.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ProblemError } from "#contract/problem.ts";
import { signIn } from "#web/session/session.ts";
import { Button, Field, TextInput } from "#web/ui/form.tsx";
import { Eye, EyeOff } from "#web/ui/icons.tsx";
import { PageHeader } from "#web/ui/page.tsx";
import { StatusIcon } from "#web/ui/status.tsx";

export function SignInPage({ wasSignedOut }: { readonly wasSignedOut: boolean }) {
  return (
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
}

function KeyForm() {
  const field = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = useMutation({
    // The key is read from the field and is no variable of the mutation, so that the cache does not keep it.
    mutationFn: () => signIn(field.current?.value.trim() ?? ""),
    onError: (error) => setRefusal(refusalFor(error)),
  });
  useEffect(() => {
    if (refusal !== undefined) note.current?.focus();
  }, [refusal]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (attempt.isPending) return;
    setRefusal(undefined);
    if (field.current?.value.trim() === "") setRefusal({ title: "Enter your key.", detail: "" });
    else attempt.mutate();
  }

  const Icon = isShown ? EyeOff : Eye;
  return (
    // A form that sends itself would use POST. The page's policy forbids even that.
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal !== undefined && (
        <div
          ref={note}
          role="alert"
          tabIndex={-1}
          className="rounded-md border border-fail bg-fail-wash px-4 py-3 text-sm"
        >
          <p className="flex items-center gap-2 font-medium">
            <StatusIcon status="fail" />
            {refusal.title}
          </p>
          {refusal.detail !== "" && <p className="mt-1">{refusal.detail}</p>}
        </div>
      )}
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
      <div>
        <Button look="primary" type="submit" busy={attempt.isPending}>
          {attempt.isPending ? "Signing in …" : "Sign in"}
        </Button>
      </div>
    </form>
  );
}

/** A key has 61 characters. A pasted one may have blanks around it. */
const MAX_LENGTH = 200;

interface Refusal {
  readonly title: string;
  readonly detail: string;
}

function refusalFor(error: unknown): Refusal {
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
