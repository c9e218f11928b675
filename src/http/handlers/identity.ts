// Keys of callers, and sessions of the app.
import { ANONYMOUS, type Principal } from "#core/identity/principal.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { Exchange } from "#http/exchange.ts";
import { sessionCookie } from "#http/request/session-cookie.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import { recordChange } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { checkTakesKeys } from "#service/identity/identities.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "#service/identity/keys.ts";
import { describeCaller, SESSION_SECONDS, signIn, signOut } from "#service/identity/sessions.ts";
import { nextCursor, pageOf } from "./paging.ts";

type IdentityRoute = "listKeys" | "createKey" | "rotateKey" | "revokeKey" | "getSession" | "signIn" | "signOut";

export const identityHandlers: Pick<Handlers, IdentityRoute> = {
  async listKeys(deps, { query }) {
    const { keys, next } = await listKeys(deps, pageOf(query));
    return { keys, ...nextCursor(next) };
  },
  async createKey(deps, { body, principal }) {
    checkTakesKeys(deps.identities);
    return recorded(deps, createKey(deps, body, principal.name));
  },
  async rotateKey(deps, { params, body }) {
    checkTakesKeys(deps.identities);
    return recorded(deps, rotateKey(deps, params.keyId, body));
  },
  revokeKey: async (deps, { params }) => ({ record: await recorded(deps, revokeKey(deps, params.keyId)) }),

  getSession: (deps, { principal }, exchange) => sendSession(deps, principal, exchange),
  async signIn(deps, { body, principal }, exchange) {
    const opened = await signIn(deps, body.key, principal);
    return sendSession(deps, opened.principal, exchange, sessionCookie(exchange.client, opened.id, SESSION_SECONDS));
  },
  async signOut(deps, { principal }, exchange) {
    await signOut(deps, principal);
    return sendSession(deps, ANONYMOUS, exchange, sessionCookie(exchange.client, "", 0));
  },
};

/** The result of a change, once the decision log has it. */
async function recorded<T>(deps: Deps, change: Promise<T>): Promise<T> {
  const result = await change;
  await recordChange(deps);
  return result;
}

function sendSession(deps: Deps, principal: Principal, { response }: Exchange, cookie?: string): Promise<void> {
  const session: Value<"getSession"> = describeCaller(deps, principal);
  const { headers, ...reply } = jsonReply(session);
  return response.send({ ...reply, headers: { ...headers, ...(cookie !== undefined && { "set-cookie": cookie }) } });
}
