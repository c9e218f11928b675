// Who is signed in, and the button to sign out.
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { isPublicPath, principalOf } from "#web/session/permissions.ts";
import { roleInWords } from "#web/session/role-text.ts";
import { type Session, signOut, useSessionState } from "#web/session/session.ts";
import { Button } from "#web/ui/form/button.tsx";
import { markLoading } from "#web/ui/mark-loading.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";

interface AccountProps {
  readonly path: string;
  readonly className: string;
}

export function Account({ path, className }: AccountProps) {
  const { session, error } = useSessionState();
  if (session === undefined) return error === undefined && <div ref={markLoading} className={className} />;
  if (!session.identities) {
    return (
      <p
        title="To give everybody a key of their own, set AUTH=keys."
        className="order-2 hidden text-soft text-xs lg:block"
      >
        No sign-in: everybody is admin
      </p>
    );
  }
  if (!session.signedIn && !isPublicPath(path)) return null;
  return <div className={className}>{session.signedIn ? <SignedIn session={session} /> : <SignInLink />}</div>;
}

function SignedIn({ session }: { readonly session: Session }) {
  const [, navigate] = useLocation();
  const leaving = useMutation({
    async mutationFn() {
      await signOut();
      // The address may name something of the caller's.
      navigate(pagePath("console"), { replace: true });
    },
  });
  const role = roleInWords(principalOf(session));
  return (
    <div className="flex items-center justify-between gap-3">
      <p role="status" className="min-w-0 lg:max-w-48 text-sm leading-tight">
        <span className="sr-only">Signed in as </span>
        <Name className="line-clamp-1 font-medium">{session.name}</Name>
        <span className="sr-only">, </span>
        <span title={role} className="line-clamp-1 text-soft text-xs">
          <Name>{role}</Name>
        </span>
        {leaving.isError && <span className="block text-fail text-xs">Still signed in. Try again.</span>}
      </p>
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
