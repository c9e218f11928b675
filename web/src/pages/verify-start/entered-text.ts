// What somebody entered in the box of /verify: an id, a link to a verification with or without an opening, or a receipt as
// text.
import { PAGES } from "#contract/page-paths.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { parseUrl } from "#web/lib/address.ts";

export type Entered =
  | { readonly kind: "receipt"; readonly receiptId: string; readonly fragment: string }
  /** Of an anchor, other than that of its object. */
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "text"; readonly text: string }
  /** A link to another service. */
  | { readonly kind: "elsewhere"; readonly host: string }
  | { readonly kind: "none"; readonly fault: string };

const ID = /^[\w.~=-]{1,128}$/;
const DIGEST = /^[0-9a-fA-F]{64}$/;
const VERIFY = PAGES.verify.path.replace(":receiptId", "");

/** `here` is where this browser sees the service. */
export function readEntered(text: string, here: string): Entered {
  const entered = text.trim();
  if (entered === "") return { kind: "none", fault: "Enter an id, or drop a receipt as a file." };
  if (entered.startsWith("{")) return { kind: "text", text: entered };
  const receiptId = fullAddress(entered);
  if (receiptId !== undefined) return { kind: "receipt", receiptId, fragment: "" };
  // A digest is hex, and some programs write it in capitals.
  if (ID.test(entered)) return { kind: "id", id: DIGEST.test(entered) ? entered.toLowerCase() : entered };
  const fault = "That is not the id of a receipt. Check that you copied all of it.";
  return readLink(entered, here) ?? { kind: "none", fault };
}

function readLink(text: string, here: string): Entered | undefined {
  const url = parseUrl(text, `${here}/`);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const base = new URL(here);
  if (url.origin !== base.origin) return /^https?:/i.test(text) ? { kind: "elsewhere", host: url.host } : undefined;
  const path = url.pathname.startsWith(`${base.pathname.replace(/\/$/, "")}${VERIFY}`)
    ? url.pathname.slice(base.pathname.replace(/\/$/, "").length + VERIFY.length)
    : "";
  const receiptId = fullAddress(path.replace(/\/$/, ""));
  return receiptId === undefined ? undefined : { kind: "receipt", receiptId, fragment: url.hash.slice(1) };
}

/** Undefined if it can be looked up. */
export function faultOf(entered: Entered): string | undefined {
  if (entered.kind === "none") return entered.fault;
  if (entered.kind !== "elsewhere") return undefined;
  return `This link leads to another service, ${entered.host}. Its receipts are checked there.`;
}
