// Who is calling, and whether they may call this route. Decided before the body is read.
import type { Place } from "#contract/paths.ts";
import { PortcullisError } from "#core/errors.ts";
import { forbidden, mayCall } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";
import { credentialsOf } from "./credentials.ts";

export async function authorize(
  authenticator: Authenticator,
  { access }: Pick<Place, "access">,
  request: Request,
  onRefused: (principal: Principal, error: unknown) => Promise<void>,
): Promise<Principal> {
  const principal = await authenticator.identify(credentialsOf(request));
  if (mayCall(principal, access)) return principal;
  if (principal.role === "public") throw new PortcullisError("unauthenticated", "This route needs a key or a token.");
  const error = forbidden("The role of this key or token may not call this route.");
  await onRefused(principal, error);
  throw error;
}
