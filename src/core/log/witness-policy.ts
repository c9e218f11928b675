// Policies of witnesses (C2SP tlog-policy): which logs are trusted, and how many of which witnesses must have cosigned.
import { cosignedAt, type SignedCheckpoint } from "./checkpoint.ts";
import { checkSignature, KEY_TYPES, type NoteKey, parseVkey, type SignedNote } from "./signed-note.ts";

interface Witness {
  readonly key: NoteKey;
  readonly url?: string | undefined;
}

/** Of a witness, that it has cosigned; of a group, that enough of its members have. */
type IsMet = (note: SignedNote) => boolean;

export interface WitnessPolicy {
  readonly logs: readonly NoteKey[];
  readonly witnesses: ReadonlyMap<string, Witness>;
  /** Whether the checkpoint is of one of the logs, and enough witnesses have cosigned it. */
  accepts(checkpoint: SignedCheckpoint): boolean;
}

const MOST_LINES = 1_000;

/** Throws a sentence that names the line. */
export function parseWitnessPolicy(text: string): WitnessPolicy {
  const logs: NoteKey[] = [];
  const witnesses = new Map<string, Witness>();
  const names = new Map<string, IsMet>();
  const [grouped, keys] = [new Set<string>(), new Set<string>()];
  let quorum: IsMet | undefined;

  const requireKnown = (name: string): IsMet => {
    const isMet = names.get(name);
    if (isMet === undefined) throw new Error(`there is no ${name} above`);
    return isMet;
  };
  const add = (name: string, isMet: IsMet): void => {
    if (names.has(name) || name === "none") throw new Error(`the name ${name} is taken`);
    names.set(name, isMet);
  };
  const requireKey = (vkey: string, type: NoteKey["type"]): NoteKey => {
    const key = parseVkey(vkey);
    if (key?.type !== type) throw new Error("this is not a key of the kind that the line needs");
    if (keys.has(String(key.publicKey))) throw new Error("this key is there twice");
    keys.add(String(key.publicKey));
    return key;
  };

  const lines: Readonly<Record<string, (words: readonly string[]) => void>> = {
    log: ([vkey = ""]) => void logs.push(requireKey(vkey, KEY_TYPES.signature)),
    witness([name = "", vkey = "", url]) {
      const key = requireKey(vkey, KEY_TYPES.cosignature);
      add(name, (note) => cosignedAt(note, key) !== undefined);
      witnesses.set(name, { key, ...(url !== undefined && { url }) });
    },
    group([name = "", count = "", ...members]) {
      const needed = neededOf(count, members.length);
      if (needed === undefined) throw new Error("a group needs all, any, or a number of its members");
      const parts = members.map(requireKnown);
      for (const member of members) {
        if (grouped.has(member)) throw new Error(`${member} is a member of two groups`);
        grouped.add(member);
      }
      add(name, (note) => parts.filter((isMet) => isMet(note)).length >= needed);
    },
    quorum([name = ""]) {
      if (quorum !== undefined) throw new Error("there is another quorum above");
      quorum = name === "none" ? () => true : requireKnown(name);
    },
  };

  const given = text.split("\n", MOST_LINES + 1);
  if (given.length > MOST_LINES) throw new Error(`A policy has at most ${MOST_LINES} lines.`);
  for (const [i, line] of given.entries()) {
    const [keyword = "", ...words] = line
      .replace(/#.*/, "")
      .trim()
      .split(/[ \t]+/);
    if (keyword === "") continue;
    try {
      if (!Object.hasOwn(lines, keyword)) throw new Error("a line begins with log, witness, group or quorum");
      lines[keyword]?.(words);
    } catch (error) {
      throw new Error(`Line ${i + 1} of the policy: ${(error as Error).message}.`);
    }
  }
  if (quorum === undefined) throw new Error("The policy has no line quorum.");
  const isEnough = quorum;
  return {
    logs,
    witnesses,
    accepts: ({ origin, note }) =>
      logs.some((log) => log.name === origin && checkSignature(note, log) === "valid") && isEnough(note),
  };
}

/** As above, with this log in place of those that the text names. */
export const policyOfLog = (vkey: string, text: string): WitnessPolicy =>
  parseWitnessPolicy(`log ${vkey}\n${text.replaceAll(/^[ \t]*log[ \t].*$/gm, "")}`);

function neededOf(count: string, members: number): number | undefined {
  if (members === 0) return undefined;
  if (count === "all") return members;
  if (count === "any") return 1;
  const needed = /^[1-9]\d{0,2}$/.test(count) ? Number(count) : undefined;
  return needed !== undefined && needed <= members ? needed : undefined;
}
