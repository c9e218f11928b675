import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { usePermissions } from "#web/session/use-permissions.ts";

/** The id of a request, with a link to what is on record about it, for whoever may read the decision log. */
export function RequestId({ requestId }: { readonly requestId: string }) {
  const { may } = usePermissions();
  return (
    <>
      Request id <code className="font-mono">{requestId}</code>
      {may("listDecisions") && (
        <>
          {" "}
          <Link
            href={`${pagePath("docs")}?${new URLSearchParams({ request: requestId })}`}
            className="inline-flex min-h-7 items-center"
          >
            Look up this request
          </Link>
        </>
      )}
    </>
  );
}
