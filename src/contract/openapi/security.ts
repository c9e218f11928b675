// How callers say who they are, and who may call a route.
import type { Route } from "#contract/routes.ts";
import type { Json } from "./json-schema.ts";

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A key of this service (`portcullis_…`), or a token (JWT) of the identity provider that it is configured with. A service without identities asks for no credentials, and every caller is its admin.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-portcullis",
    description:
      "The session of the app in a browser. Below a base path the cookie is called `__Secure-portcullis`, and on loopback without TLS `portcullis`.",
  },
};

const WITH_CREDENTIALS = [{ bearer: [] }, { session: [] }];

/** A public route takes credentials, too: an agent may see more of it than a stranger. */
export const securityOf = ({ access }: Pick<Route, "access">): Json[] =>
  access === "public" ? [...WITH_CREDENTIALS, {}] : WITH_CREDENTIALS;

const PLURALS = { agent: "agents", "namespace-admin": "admins of namespaces", auditor: "auditors" } as const;

/** A sentence that says who may call the route. */
export function callersOf({ access }: Pick<Route, "access">): string {
  if (access === "public") return "Anyone may call it.";
  const roles = access.map((role) => PLURALS[role]);
  return roles.length === 0 ? "For admins." : `For ${roles.join(", ")} and admins.`;
}
