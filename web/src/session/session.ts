// Who uses the app. The browser holds a session cookie that no script can read. The key passes through `signIn` once and
// is kept nowhere.
import { createClient } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { createStore, useStore } from "#web/lib/store.ts";

export type Session = Reply<"getSession">;

interface SessionState {
  /** Undefined until the service has said who the caller is. */
  readonly session: Session | undefined;
  /** Why the service did not say it. */
  readonly error?: unknown;
  /** The session ended in the middle, so the sign-in page says so. */
  readonly wasSignedOut: boolean;
  /** Counts the callers. A component with this as its key keeps no state of the caller before. */
  readonly caller: number;
}

/** The service has no identities, and everybody is the admin. */
const OPEN_SESSION: Session = { signedIn: false, identities: false, name: "api", role: "admin" };
const SIGNED_OUT: Session = { signedIn: false, identities: true, name: "anonymous", role: "public" };

/** Only for the session's own routes: a 401 for a wrong key does not end a session. */
const client = createClient({ baseUrl: BASE_PATH });
const state = createStore<SessionState>({ session: undefined, wasSignedOut: false, caller: 0 });
/** Tells the other tabs of this browser, which share the cookie. Another service of the host has another one. */
let tabs: BroadcastChannel | undefined;

export const currentSession = (): Session | undefined => state.get().session;
export const useSessionState = (): SessionState => useStore(state);

function changeCaller(session: Session | undefined, wasSignedOut = false): void {
  forgetCaller();
  state.set({ session, wasSignedOut, caller: state.get().caller + 1 });
}

/** Asks the service who the caller is. */
export async function loadSession(): Promise<void> {
  const { caller } = state.get();
  const isLate = () => state.get().caller !== caller;
  try {
    const session = await client.getSession();
    if (!isLate()) state.set({ ...state.get(), session, error: undefined });
  } catch (error) {
    if (!isLate()) state.set({ ...state.get(), error });
  }
}

/** Finds out at once whether the session is over, after a change that may have ended it. */
export async function checkSession(): Promise<void> {
  const { identities, signedIn } = await client.getSession();
  if (identities && !signedIn) sessionEnded();
}

/** Rejects when the key is refused. Then nothing has changed. */
export async function signIn(key: string): Promise<void> {
  const session = await client.signIn({ key });
  changeCaller(session);
  tabs?.postMessage("changed");
}

/** Rejects when the service could not be told: the session then goes on. */
export async function signOut(): Promise<void> {
  await client.signOut();
  changeCaller(SIGNED_OUT);
  tabs?.postMessage("changed");
}

/** The service refused a request of this session: it is over, or its key was revoked. */
export function sessionEnded(): void {
  if (state.get().session?.role !== "public") changeCaller(SIGNED_OUT, true);
}

/** Call it once, before the first page is shown. */
export function startSession(): void {
  tabs = new BroadcastChannel(`portcullis-session ${BASE_PATH}`);
  tabs.addEventListener("message", () => {
    changeCaller(undefined);
    void loadSession();
  });
  // A service without identities marks its pages, so that the app need not ask before it shows anything.
  if (document.documentElement.dataset.identities === "none") changeCaller(OPEN_SESSION);
  else void loadSession();
}

// What the app keeps for a caller is forgotten when the caller changes: cached answers, conversations, imports, and the
// requests that are still under way. Whoever keeps something registers here.

const forgetters = new Set<() => void>();
let requests = new AbortController();

/** `forget` runs whenever somebody signs in or out. */
export function whenCallerChanges(forget: () => void): void {
  forgetters.add(forget);
}

/**
 * Aborts with the current caller: a late response must not reach the next one. Queries take this signal and not that of
 * the query cache, which aborts when a page is left: a cancelled request looks like a fault in the network panel.
 */
export const callerSignal = (): AbortSignal => requests.signal;

function forgetCaller(): void {
  requests.abort();
  requests = new AbortController();
  for (const forget of forgetters) forget();
}
