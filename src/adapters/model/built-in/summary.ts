// Questions about everything, or about all of a namespace.
import { hasDates } from "./reading/dates.ts";
import { type Note, namespacesOf } from "./reading/notes.ts";
import { phraseList, type Question, says } from "./reading/question.ts";
import { areSimilar } from "./reading/words.ts";

interface Group {
  readonly namespace: string;
  readonly notes: readonly Note[];
}

export type Summary =
  | { readonly kind: "everything"; readonly groups: readonly Group[] }
  | ({ readonly kind: "namespace" } & Group)
  /** The question says nothing about its subject. */
  | { readonly kind: "unclear" };

const MAX_OF_ALL = 12;
const MAX_OF_NAMESPACE = 8;

const ABOUT_EVERYTHING =
  phraseList(`about me|about myself|who am i|what do you know|what do you remember|what should i know|everything|summary|
  summarise|summarize|overview|all my notes|my notes|uber mich|wer bin ich|was weisst du|alles|de moi|sur moi|
  qui suis je|que sais tu|tout|de mi|sobre mi|quien soy|que sabes|todo|di me|su di me|chi sono|cosa sai|tutto`);

/** Undefined when the question is about something in particular. */
export function summaryOf(question: Question, notes: readonly Note[]): Summary | undefined {
  if (question.keywords.length > 0) return summaryOfNamespace(question, notes);
  if (hasDates(question.dates) || question.asksForSchedule) return undefined;
  if (!says(question, ABOUT_EVERYTHING)) return { kind: "unclear" };
  const told = notes.slice(0, MAX_OF_ALL);
  const groups = namespacesOf(told).map((namespace) => ({
    namespace,
    notes: told.filter((note) => note.namespace === namespace),
  }));
  return { kind: "everything", groups };
}

/** A question whose keywords are all the name of one namespace. */
function summaryOfNamespace({ keywords, dates }: Question, notes: readonly Note[]): Summary | undefined {
  if (hasDates(dates)) return undefined;
  const named = notes.find(({ namespaceStems }) =>
    keywords.every(({ stem }) => namespaceStems.some((other) => areSimilar(stem, other))),
  );
  if (named === undefined) return undefined;
  const { namespace } = named;
  return {
    kind: "namespace",
    namespace,
    notes: notes.filter((note) => note.namespace === namespace).slice(0, MAX_OF_NAMESPACE),
  };
}
