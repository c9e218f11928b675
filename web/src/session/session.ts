// Who uses the app. The browser holds a session cookie that no script can read. The key passes through `signIn` once and
// is kept nowhere.
import { type Client, createClient } from "#contract/client/client.ts";
import { TENANT_HEADER } from "#contract/paths.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { DEFAULT_TENANT, TENANT_ID } from "#core/identity/tenant.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { fetchOrTakeEarly, forgetEarlyRequests } from "#web/lib/early-requests.ts";
import { readStored, storeValue } from "#web/lib/storage.ts";
import { createStore, useStore } from "#web/lib/store.ts";

export type Session = Reply<"getSession">;

interface SessionState {
  /** Undefined until the service has said who the caller is. */
  readonly session: Session | undefined;
  readonly error?: unknown;
  /** The session ended in the middle, so the sign-in page says so. */
  readonly wasSignedOut: boolean;
  /** Counts the callers. A component with this as its key keeps no state of the caller before. */
  readonly caller: number;
  /** Of a caller who may act in several tenants: the one to act in. It is sent with every request. */
  readonly chosenTenant: string | undefined;
}

/** The service has no identities, and everybody is the admin. */
const OPEN_SESSION: Session = {
  signedIn: false,
  identities: false,
  name: "app",
  role: "admin",
  tenant: DEFAULT_TENANT.id,
};
const SIGNED_OUT: Session = { signedIn: false, identities: true, name: "anonymous", role: "public" };

/** Only for the session's own routes: a 401 for a wrong key does not end a session. */
const clientIn = (tenant: string | undefined): Client =>
  createClient({ baseUrl: BASE_PATH, tenant, ...(tenant === undefined && { fetch: fetchOrTakeEarly }) });
const state = createStore<SessionState>({
  session: undefined,
  wasSignedOut: false,
  caller: 0,
  chosenTenant: undefined,
});
/** Tells the other tabs of this browser, which share the cookie. Another service of the host has another one. */
let tabs: BroadcastChannel | undefined;

export const currentSession = (): Session | undefined => state.get().session;
export const useSessionState = (): SessionState => useStore(state);

/** What says in which tenant a request acts. */
export function tenantHeaders(): Readonly<Record<string, string>> {
  const { chosenTenant } = state.get();
  return chosenTenant === undefined ? {} : { [TENANT_HEADER]: chosenTenant };
}

type CallerOptions = Partial<Pick<SessionState, "wasSignedOut" | "chosenTenant">>;

function changeCaller(session: Session | undefined, { wasSignedOut = false, chosenTenant }: CallerOptions = {}): void {
  if (state.get().caller > 0) forgetEarlyRequests();
  forgetCaller();
  storeTenant(chosenTenant);
  state.set({ session, wasSignedOut, caller: state.get().caller + 1, chosenTenant });
}

/** Calls in the chosen tenant; in `default` if it is gone or suspended, or if none was chosen and one must be named. */
async function callInSomeTenant<T>(
  call: (client: Client) => Promise<T>,
  [tenant, ...others] = [...new Set([state.get().chosenTenant, DEFAULT_TENANT.id, undefined])],
): Promise<{ readonly reply: T; readonly tenant: string | undefined }> {
  try {
    return { reply: await call(clientIn(tenant)), tenant };
  } catch (error) {
    const isRefused = error instanceof ProblemError && (error.status === 400 || error.status === 403);
    if (!isRefused || others.length === 0) throw error;
    return callInSomeTenant(call, others);
  }
}

/** Asks the service who the caller is. */
export async function loadSession(): Promise<void> {
  const { caller } = state.get();
  const isLate = () => state.get().caller !== caller;
  try {
    const { reply: session, tenant: chosenTenant } = await callInSomeTenant((client) => client.getSession());
    if (isLate()) return;
    storeTenant(chosenTenant);
    state.set({ ...state.get(), session, chosenTenant, error: undefined });
  } catch (error) {
    if (!isLate()) state.set({ ...state.get(), error });
  }
}

/** Finds out at once whether the session is over, after a change that may have ended it. */
export async function checkSession(): Promise<void> {
  const { identities, signedIn } = await clientIn(state.get().chosenTenant).getSession();
  if (identities && !signedIn) sessionEnded();
}

/** Rejects when the key is refused. Then nothing has changed. */
export async function signIn(key: string): Promise<void> {
  const session = await clientIn(undefined).signIn({ key });
  const isOfAllTenants = session.role === "agent" && session.tenant === undefined;
  if (isOfAllTenants) return switchTenant(DEFAULT_TENANT.id);
  changeCaller(session);
  tabs?.postMessage("changed");
}

/** Rejects when the caller may not act in this tenant. `onAccepted` is called before the former one is forgotten. */
export async function switchTenant(tenant: string, onAccepted?: () => void): Promise<void> {
  const session = await clientIn(tenant).getSession();
  onAccepted?.();
  changeCaller(session, { chosenTenant: tenant });
  tabs?.postMessage("changed");
}

/** Rejects when the service could not be told: the session then goes on. */
export async function signOut(): Promise<void> {
  abortRequests();
  leaving = callInSomeTenant((client) => client.signOut());
  try {
    await leaving;
  } finally {
    leaving = undefined;
  }
  changeCaller(SIGNED_OUT);
  tabs?.postMessage("changed");
}

/** The service refused a request of this session: it is over, or its key was revoked. */
export function sessionEnded(): void {
  if (state.get().session?.role !== "public") changeCaller(SIGNED_OUT, { wasSignedOut: true });
}

/** Call it once, before the first page is shown. */
export function startSession(): void {
  tabs = new BroadcastChannel(`portcullis-session ${BASE_PATH}`);
  tabs.addEventListener("message", () => {
    changeCaller(undefined, { chosenTenant: storedTenant() });
    void loadSession();
  });
  const chosenTenant = storedTenant();
  // A service without identities marks its pages, so that the app need not ask before it shows anything.
  const isKnown = document.documentElement.dataset.identities === "none" && chosenTenant === undefined;
  changeCaller(isKnown ? OPEN_SESSION : undefined, { chosenTenant });
  if (!isKnown) void loadSession();
}

// What the app keeps for a caller is forgotten when the caller changes: cached answers, conversations, imports, and the
// requests that are still under way. Whoever keeps something registers here.

const forgetters = new Set<() => void>();
let requests = new AbortController();

/** `forget` runs whenever somebody signs in or out, or switches the tenant. */
export function whenCallerChanges(forget: () => void): void {
  forgetters.add(forget);
}

/**
 * Aborts with the current caller: a late response must not reach the next one. Queries take this signal and not that of
 * the query cache, which aborts when a page is left: a cancelled request looks like a fault in the network panel.
 */
export const callerSignal = (): AbortSignal => requests.signal;

let leaving: Promise<unknown> | undefined;

/** Resolves when nobody is signing out: the service would refuse a request that comes after the end of its session. */
export const untilNobodyLeaves = async (): Promise<void> => void (await leaving?.catch(() => undefined));

function abortRequests(): void {
  requests.abort();
  requests = new AbortController();
}

function forgetCaller(): void {
  abortRequests();
  for (const forget of forgetters) forget();
}

/** One service may be at several paths of one origin. */
const STORAGE_KEY = `tenant:${BASE_PATH}`;

/** Undefined if nobody chose one, or if something else is in its place: storage is shared with every page of the origin. */
export function storedTenant(): string | undefined {
  const stored = readStored(STORAGE_KEY);
  return stored !== undefined && TENANT_ID.test(stored) ? stored : undefined;
}

export const storeTenant = (tenant: string | undefined): void => storeValue(STORAGE_KEY, tenant);
