// API keys: `portcullis_`, then in base62 the key's id, a secret of 192 bits, and a checksum, in the manner of GitHub's
// tokens. Secret scanners find a key by its prefix and its checksum. A mistyped key is refused before any look-up.
import { PortcullisError } from "#core/errors.ts";
import { forbidden } from "./permissions.ts";
import { parseRole, type Role } from "./principal.ts";

/** Of the random bytes that a key is made of. */
export const KEY_ID_BYTES = 8;
export const SECRET_BYTES = 24;

const PREFIX = "portcullis_";
const ID_PREFIX = "key_";
// The fewest digits that hold as many bits.
const ID_DIGITS = 11;
const SECRET_DIGITS = 33;
const CHECKSUM_DIGITS = 6;
const KEY = new RegExp(`^${PREFIX}([0-9A-Za-z]{${ID_DIGITS}})[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The id of a key, such as `key_0Fk3…`. It is no secret. */
export const keyIdOf = (random: Uint8Array): string => ID_PREFIX + base62(numberOf(random), ID_DIGITS);

export function formatApiKey(keyId: string, secret: Uint8Array): string {
  const body = PREFIX + keyId.slice(ID_PREFIX.length) + base62(numberOf(secret), SECRET_DIGITS);
  return body + checksum(body);
}

/** Whether a text is meant as a key. Nothing else that callers send begins so. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(PREFIX);

/** The id in a key's text; undefined if the text is not a key. */
export function parseApiKey(text: string): string | undefined {
  const id = KEY.exec(text)?.[1];
  const body = text.slice(0, -CHECKSUM_DIGITS);
  if (id === undefined || checksum(body) !== text.slice(-CHECKSUM_DIGITS)) return undefined;
  return ID_PREFIX + id;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_DIGITS);

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

function base62(number: bigint, digits: number): string {
  let text = "";
  for (let rest = number; text.length < digits; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 as in ISO 3309, of ASCII text. It finds every change of a single character. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// The role that a token's claims name. What they do not say clearly is refused: there is no default role.

/** Claims as they stand in a token: of any type, or absent. */
export interface RoleClaims {
  readonly role?: unknown;
  readonly agent?: unknown;
  readonly namespaces?: unknown;
}

/** Throws `forbidden` for claims that name no role, or contradict each other. The subject of a token is no agent id. */
export function roleOfClaims({ role, agent, namespaces = [] }: RoleClaims): Role {
  if (role === undefined || role === null) throw forbidden("This token names no role.");
  if (typeof role !== "string") throw forbidden("The role in this token is not a text.");
  if (agent !== undefined && typeof agent !== "string") throw forbidden("The agent in this token is not a text.");
  if (!isTextList(namespaces)) throw forbidden("The namespaces in this token are not a list of texts.");
  if (role === "agent" && agent === undefined) throw forbidden("This token has the role of an agent and names none.");
  const parsed = parsedRole(role === "agent" ? `agent:${agent}` : role, namespaces);
  if (agent !== undefined && (parsed.role !== "agent" || parsed.agentId !== agent))
    throw forbidden("The role and the agent in this token contradict each other.");
  return parsed;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function parsedRole(text: string, captures: readonly string[]): Role {
  try {
    return parseRole(text, captures);
  } catch (error) {
    if (error instanceof PortcullisError) throw forbidden(`The role in this token is not valid. ${error.message}`);
    throw error;
  }
}
