import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { possibleEmergency } from "#core/prompt/emergency.ts";
import { hostileTexts } from "#test/support/arbitraries.ts";

const MEDICAL = {
  en: [
    "I can't breathe",
    "I CANT BREATHE!!!",
    "I have trouble breathing since lunch",
    "My throat is swelling up",
    "my tongue feels swollen",
    "I have a strong pain in my chest",
    "Is this a heart attack?",
    "I think I am having a stroke",
    "Her face is drooping on one side",
    "He passed out and is not responding",
    "She is unconscious",
    "The wound is bleeding heavily",
    "I took too many of my tablets",
    "I have overdosed",
    "I'm having an allergic reaction",
    "Please call an ambulance",
    "My baby is choking",
  ],
  de: [
    "Ich bekomme keine Luft mehr",
    "Ich kann kaum atmen",
    "Mein Hals schwillt an",
    "Ich habe starke Schmerzen in der Brust",
    "Er ist bewusstlos",
    "Es blutet sehr stark",
    "Ich habe zu viele Tabletten genommen",
    "Ist das ein Schlaganfall?",
  ],
  fr: [
    "Je n'arrive plus à respirer",
    "Ma gorge gonfle",
    "J’ai mal à la poitrine",
    "Il est inconscient",
    "Je saigne beaucoup",
    "J'ai pris trop de comprimés",
    "Je crois que je fais un AVC",
    "J'ai fait une overdose",
  ],
  es: [
    "No puedo respirar",
    "Se me hincha la garganta",
    "Tengo un dolor fuerte en el pecho",
    "Está inconsciente",
    "Sangra mucho",
    "He tomado demasiadas pastillas",
    "Creo que es un ictus",
  ],
  it: [
    "Non riesco a respirare",
    "Mi si gonfia la gola",
    "Ho un forte dolore al petto",
    "È svenuto",
    "Sanguina molto",
    "Ho preso troppe pastiglie",
    "È un infarto?",
  ],
} as const;

const SELF_HARM = {
  en: [
    "I want to die",
    "I feel suicidal",
    "I want to kill myself",
    "I don't want to live anymore",
    "I want to end it all",
  ],
  de: ["Ich will sterben", "Ich denke an Selbstmord", "Ich will nicht mehr leben", "Ich bringe mich um"],
  fr: ["Je veux mourir", "Je veux me tuer", "Je n'ai plus envie de vivre"],
  es: ["Quiero morir", "Quiero matarme", "No quiero vivir"],
  it: ["Voglio morire", "Voglio uccidermi", "Non voglio vivere"],
} as const;

const NONE = [
  "Is the restaurant on Friday safe for me?",
  "What was my blood pressure?",
  "Am I allergic to anything?",
  "My knee hurts",
  "I have a headache",
  "I want to live in Lisbon",
  "Where is my chest of drawers?",
  "I took all my pills this morning",
  "I cut myself some bread",
  "Which medicine do I take?",
  "How is my breathing exercise going?",
  "Was steht im Mai an?",
  "Was darf ich essen?",
  "Que puis-je manger ?",
  "¿Qué puedo comer?",
  "Che cosa posso mangiare?",
  "",
];

function cases(table: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(table).flatMap(([language, questions]) =>
    questions.map((question) => [question, language] as const),
  );
}

describe("a possible emergency", () => {
  test.for(cases(MEDICAL))("%s", ([question, language]) => {
    expect(possibleEmergency(question)).toMatchObject({ kind: "medical", language });
  });

  test.for(cases(SELF_HARM))("%s", ([question, language]) => {
    expect(possibleEmergency(question)).toMatchObject({ kind: "self-harm", language });
  });

  test("the advice begins with the number to call, in the language of the question", () => {
    for (const [question] of [...cases(MEDICAL), ...cases(SELF_HARM)]) {
      expect(possibleEmergency(question)?.advice).toMatch(/^[^.!?]*: [^.!?]*\b112\b[^.!?]*\b911\b/);
    }
  });
});

test.for(NONE)("no emergency: %s", (question) => {
  expect(possibleEmergency(question)).toBeUndefined();
});

test("an emergency is found between any other words", () => {
  fc.assert(
    fc.property(hostileTexts, hostileTexts, (before, after) => {
      expect(possibleEmergency(`${before} ... I can't breathe ... ${after}`)).toBeDefined();
    }),
  );
});
