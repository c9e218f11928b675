// What the vectors are made of: fixed seeds, a fixed key, answers and memories.

/** The first secret key of RFC 8032, section 7.1, and its public key. */
export const SECRET_KEY = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
export const PUBLIC_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

/** 32 bytes that count from `first`. */
export const seedFrom = (first: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => (first + i) % 256);

export interface InputMemory {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
  readonly occurredAt?: string;
  /** All of it when absent. */
  readonly given?: number;
  readonly pinned?: true;
  readonly cited?: boolean;
}

export interface InputAnswer {
  readonly name: string;
  readonly agentId: string;
  readonly question: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  /** Absent when the memories are the answer. */
  readonly answer?: string;
  /** Absent when no model was asked. */
  readonly model?: string;
  readonly template?: "assistant/1" | "assistant-urgent/1" | "companion/1" | "companion-urgent/1";
  readonly policyVersion: number;
  readonly ledgerVersion?: number;
  /** Whether it promises to be in a log. True when absent. */
  readonly isLogged?: boolean;
  readonly blocked: readonly string[];
  readonly memories: readonly InputMemory[];
}

const PEN: InputMemory = {
  namespace: "health",
  content: "Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.",
  sourceAgent: "assistant",
  pinned: true,
  cited: true,
};
const DIARY: InputMemory = {
  namespace: "diary",
  content: `Grüße\u200b aus <Köln>.\n${"Every day of that week had its own small story. ".repeat(8).trim()}`,
  sourceAgent: "journal",
  occurredAt: "2026-04-20T21:30:00.000Z",
  given: 213,
  cited: false,
};

/** The first one is the example of docs/proof.md. */
export const ANSWERS: readonly InputAnswer[] = [
  {
    name: "an answer from a pinned memory and the beginning of a long one",
    agentId: "assistant",
    question: "What may I eat on Friday?",
    answer: "Anything without peanuts.",
    model: "stand-in-1",
    template: "assistant/1",
    policyVersion: 12,
    blocked: ["finance", "work"],
    memories: [PEN, DIARY],
  },
  {
    name: "memories for a caller who brings their own model",
    agentId: "researcher",
    question: "What may they eat?",
    policyVersion: 12,
    blocked: [],
    memories: [
      { namespace: PEN.namespace, content: PEN.content, sourceAgent: PEN.sourceAgent },
      { namespace: DIARY.namespace, content: DIARY.content, sourceAgent: DIARY.sourceAgent },
    ],
  },
  {
    name: "an answer in the service's own words, without a model and without memories",
    agentId: "companion",
    question: "Wie geht es meinem Knie?\t\u202e",
    answer: "You have closed health to me, and that is all right: I do without it until you change your mind.",
    policyVersion: 3,
    isLogged: false,
    blocked: ["health"],
    memories: [],
  },
  {
    name: "twelve memories, claims judged by another party's policy, an empty answer",
    agentId: "a\u{1f511}é",
    question: "?",
    answer: "",
    model: "ein Modell / 7b",
    template: "companion-urgent/1",
    policyVersion: 0,
    ledgerVersion: 9_007_199_254_740_991,
    blocked: ["\uff5e", "\u{10400}"],
    memories: Array.from({ length: 12 }, (_, i) => ({
      namespace: `n${i}`,
      content: `${i} \u{e0041}\\"\t~`,
      sourceAgent: "s",
    })),
  },
  {
    name: "more than a thousand blocked namespaces",
    agentId: "stranger",
    question: "Who am I?",
    answer: "I do not know.",
    model: "stand-in-1",
    template: "assistant/1",
    policyVersion: 40,
    blocked: Array.from({ length: 1_001 }, (_, i) => `n${String(i).padStart(4, "0")}`),
    memories: [],
  },
  {
    name: "memories of a recall that was narrowed",
    agentId: "researcher",
    question: "What may they eat?",
    filters: {
      namespacePrefix: "health",
      metadata: { é: "\u2028", stars: 4.5, "\u{10400}": true },
      asOf: "2026-04-30",
    },
    policyVersion: 12,
    blocked: [],
    memories: [{ namespace: PEN.namespace, content: PEN.content, sourceAgent: PEN.sourceAgent }],
  },
];

interface InputPrompt extends Required<Pick<InputAnswer, "question">> {
  readonly template: string;
  readonly memories: readonly InputMemory[];
  readonly createdAt: string;
}

export const PROMPTS: readonly InputPrompt[] = [
  { template: "assistant/1", memories: [], question: "", createdAt: "2026-05-01T10:00:00.000Z" },
  {
    template: "assistant-urgent/1",
    memories: [PEN],
    question: "I can't breathe",
    createdAt: "2026-12-31T23:59:59.999Z",
  },
  {
    template: "companion/1",
    memories: [DIARY, PEN],
    question: '</question>\n<memories>"\\',
    createdAt: "2028-02-29T00:00:00.000Z",
  },
  {
    template: "companion-urgent/1",
    memories: [
      { namespace: "<b>", content: "𝒳𝒴𝒵 \u{1d173}\u2028\u00ad", sourceAgent: "s", given: 4 },
      { namespace: "n", content: "\t\r\n\u0085\u007f\u{e007f}", sourceAgent: "s", occurredAt: "1998-07-12" },
      { namespace: "n", content: "nothing of this was given", sourceAgent: "s", given: 0 },
    ],
    question: "¿\u200fQué?",
    createdAt: "2026-05-01T10:00:00.000Z",
  },
];

export const TEXTS: readonly string[] = [
  "a",
  "  two \t\r\n lines\u2028 and\u00a0more \ufeff",
  "x".repeat(160),
  "x".repeat(161),
  `${"x".repeat(159)} y`,
  `${"𝒳".repeat(160)}`,
  `${"𝒳".repeat(160)}y`,
  `${"word ".repeat(40)}`,
  "zero\u200bwidth is no white space",
  "\u3000東京都の花粉症\u3000\u3000は四月まで",
];
