import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { principalOf } from "#web/session/permissions.ts";
import { roleInWords } from "#web/session/role-text.ts";
import type { Session } from "#web/session/session.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";

/** In place of a page that the visitor's role may not open. */
export function NotAllowedPage({ session }: { readonly session: Session }) {
  return (
    <>
      <PageHeader
        title={session.identities ? "Not for your key" : "No keys here"}
        lede={
          session.identities ? (
            <>
              You are signed in as <Name>{roleInWords(principalOf(session))}</Name>, and this page is for others.
            </>
          ) : (
            "This service has no identities, so there are no keys to manage."
          )
        }
      />
      <Link href={pagePath("console")}>Back to your pages</Link>
    </>
  );
}
