// Keys of callers, and sessions of the app.
import { z } from "zod";
import {
  issuedKey,
  keyId,
  keyRecord,
  session,
  toCreateKey,
  toRotateKey,
  toSignIn,
} from "#contract/schemas/identity.ts";
import { nextCursor, page } from "#contract/schemas/paging.ts";
import { listed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

export const identityRows = {
  listKeys: {
    summary: "The keys of callers, newest first, revoked ones included. Never the keys themselves.",
    query: page,
    response: z.object({ keys: listed(keyRecord), nextCursor }),
  },
  createKey: {
    summary: "Make a key. It is shown this once; only its hash is kept.",
    body: toCreateKey,
    response: issuedKey,
  },
  rotateKey: {
    summary: "Give a key another secret. The old one ends at once, or after the grace period.",
    params: z.object({ keyId }),
    body: toRotateKey,
    bodyOptional: true,
    response: issuedKey,
    problems: ["not-found"],
  },
  revokeKey: {
    summary: "End a key, its sessions and its streams, on every replica.",
    params: z.object({ keyId }),
    response: z.object({ record: keyRecord }),
    problems: ["not-found"],
  },
  getSession: { summary: "Who you are.", response: session, streams: "reply" },
  signIn: {
    summary: "Open a session of the app with a key. The cookie holds the session's id, and never the key.",
    body: toSignIn,
    response: session,
    streams: "reply",
  },
  signOut: { summary: "End the session of the cookie.", response: session, streams: "reply" },
} as const satisfies Rows;
