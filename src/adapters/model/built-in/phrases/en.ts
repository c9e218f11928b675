// The model's own words, one file a language. They hold nothing about the person: that is always quoted.

/** Who speaks: the health companion, or the assistant that every other agent is. */
export type Voice = keyof Phrases["hello"];

export type Phrases = typeof en;

/** To a question in another script. There is no translation: this is only said in English. */
export const CANNOT_READ = "I'm sorry, I don't read this language well.";

export const en = {
  quote: (text: string) => `“${text}”`,
  /** Of namespaces. */
  list: (names: readonly string[]) => joinList(names, "and"),

  hello: {
    assistant: "Hello! What would you like to know?",
    companion: "Hello, it's good to hear from you. How are you today?",
  },
  howAreYou: "Thank you for asking. I'm a program, so I'm always much the same. How are you?",
  thanks: {
    assistant: "You're welcome.",
    companion: "You're very welcome. Take good care of yourself.",
  },
  goodbye: "Goodbye, and take care.",
  identity: {
    assistant:
      "I'm the built-in assistant of Portcullis, a small program and not a person. I answer from the notes that are open to me, and I make nothing up.",
    companion:
      "I'm your health companion, a small program and not a doctor. I answer from the notes that you leave open to me, and I make nothing up.",
  },
  abilities: {
    assistant:
      "Ask me about anything in the notes that are open to me: what is planned, when, how much, or all that I have on a subject. I quote the notes and say where they are from.",
    companion:
      "Ask me about your meals, your medicines, your days and your training. I tell you what your notes say, and I never replace a doctor.",
  },
  /** To "remember this" and "forget that". */
  cannotWrite:
    "I can't change your notes myself. You can add one on the Memories page, and I'll use it as soon as it is open to me.",
  unclear: "I'm not sure what you would like to know.",
  notesOn: (names: string) => `I have notes on ${names}; just ask.`,
  alsoNotesOn: (names: string) => `I also have notes on ${names}; just ask.`,

  everything: "This is what I know about you.",
  about: (namespace: string) => `This is what I have under ${namespace}:`,
  /** Before the first quotation, the second, and the others. */
  say: ["Your notes say:", "They also say:", "And:"],
  keepInMind: "Please keep in mind:",
  mentionedTwice: (word: string) => `Take care: more than one of these notes mentions ${word}.`,

  noNotes: "There are no notes open to me yet, so I can't answer that. Once there are some, I'll gladly help.",
  unknown: "I don't see that in the notes that are open to me.",
  nearest: "The closest that I found is this:",
  noSuchAllergy: (word: string) => `I see no note of an allergy to ${word}, which doesn't mean that there is none.`,
  /** Before notes that may explain a complaint. */
  mayBear: "This may have to do with it:",
  noClock: "I have no calendar at hand, so I can't tell which day it is. These are the dates in your notes.",

  sorry: "I'm sorry to hear that.",
  seeDoctor: "If it gets worse or worries you, please talk to a doctor.",
  askBeforeEating: "I can't promise that it is safe for you, so please ask before you eat or drink anything.",
  askAboutMedicine:
    "That is for your doctor or pharmacist to say: please ask them before you take, change or leave out a medicine.",
  ifAnyReaction:
    "If you notice any reaction at all, call emergency services at once: 112, 911 or your local emergency number.",
  tellHelpers: "This is what the people who help you should know:",
  tellHelpersInGeneral: "Tell those who help about any allergies and medicines that you know of.",
  notAlone: "I'm glad that you told me. I'm only a program, so please talk to a person now, even if it is hard.",
};

export function joinList(names: readonly string[], and: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}
