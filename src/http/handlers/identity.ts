// Keys of callers, and sessions of the app.
import type { identityRows } from "#contract/rows/identity.ts";
import { ANONYMOUS, type Principal } from "#core/identity/principal.ts";
import { jsonReply, withHeaders } from "#http/answer/reply.ts";
import { sessionCookie } from "#http/edge/client-connection.ts";
import type { Exchange } from "#http/exchange.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import { afterRecording } from "#service/decisions/decision-log.ts";
import { checkTakesKeys, describeCaller, SESSION_SECONDS, signIn, signOut } from "#service/identity/authenticator.ts";
import { createKey, revokeKey, rotateKey } from "#service/identity/keys.ts";
import type { Tenant } from "#service/tenant.ts";
import { checkKeyOfTenant } from "#service/tenants/administration.ts";
import { paged, pageOf } from "./replies.ts";

export const identityHandlers: Pick<Handlers, keyof typeof identityRows> = {
  listKeys: async (tenant, { query, principal }) =>
    paged(await administered(tenant, principal).records.keys.page(pageOf(query))),
  async createKey(tenant, { body, principal, call }) {
    checkTakesKeys(tenant.identities);
    if (principal.role === "operator")
      return afterRecording(tenant, call, tenant.tenantAdministration.createDeploymentKey(body, principal.name));
    checkKeyOfTenant(body);
    return afterRecording(tenant, call, createKey(tenant, body, principal.name));
  },
  async rotateKey(tenant, { params, body, principal, call }) {
    checkTakesKeys(tenant.identities);
    return afterRecording(tenant, call, rotateKey(administered(tenant, principal), params.keyId, body));
  },
  revokeKey: async (tenant, { params, principal, call }) => ({
    record: await afterRecording(tenant, call, revokeKey(administered(tenant, principal), params.keyId)),
  }),

  getSession: (tenant, { principal }, exchange) => sendSession(tenant, principal, exchange),
  async signIn(tenant, { body, principal }, exchange) {
    const opened = await signIn(tenant, body.key, principal);
    return sendSession(tenant, opened.principal, exchange, sessionCookie(exchange.client, opened.id, SESSION_SECONDS));
  },
  async signOut(tenant, { principal }, exchange) {
    await signOut(tenant, principal);
    return sendSession(tenant, ANONYMOUS, exchange, sessionCookie(exchange.client, "", 0));
  },
};

/** The keys that the caller administers: an operator's are those of the deployment. */
const administered = ({ records, tenantAdministration, now }: Tenant, { role }: Principal) => ({
  records: { keys: role === "operator" ? tenantAdministration.keys : records.keys },
  now,
});

function sendSession(
  tenant: Pick<Tenant, "identities">,
  principal: Principal,
  { response }: Exchange,
  cookie?: string,
): Promise<void> {
  const session: Value<"getSession"> = describeCaller(tenant, principal);
  return response.send(withHeaders(jsonReply(session), cookie === undefined ? {} : { "set-cookie": cookie }));
}
