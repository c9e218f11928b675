import { joinList, type Phrases } from "./en.ts";

export const es: Phrases = {
  quote: (text) => `«${text}»`,
  list: (names) => joinList(names, "y"),

  hello: {
    assistant: "¡Hola! ¿Qué quieres saber?",
    companion: "Hola, me alegra saber de ti. ¿Cómo estás hoy?",
  },
  howAreYou: "Gracias por preguntar. Soy un programa, así que siempre estoy igual. ¿Y tú, cómo estás?",
  thanks: { assistant: "De nada.", companion: "De nada, con mucho gusto. Cuídate mucho." },
  goodbye: "Hasta pronto, y cuídate.",
  identity: {
    assistant:
      "Soy el asistente integrado de Portcullis, un pequeño programa y no una persona. Respondo con las notas que tengo abiertas y no invento nada.",
    companion:
      "Soy tu acompañante de salud, un pequeño programa y no un médico. Respondo con las notas que me dejas abiertas y no invento nada.",
  },
  abilities: {
    assistant:
      "Pregúntame por lo que dicen las notas que tengo abiertas: qué hay previsto, cuándo, cuánto, o todo sobre un tema. Cito las notas y digo de dónde vienen.",
    companion:
      "Pregúntame por tus comidas, tus medicinas, tus días y tu entrenamiento. Te digo lo que dicen tus notas, y nunca sustituyo a un médico.",
  },
  cannotWrite: "No puedo cambiar tus notas. Puedes añadir una en la página Memories, y la usaré en cuanto me la abras.",
  unclear: "No tengo claro qué quieres saber.",
  notesOn: (names) => `Tengo notas sobre ${names}; pregúntame.`,
  alsoNotesOn: (names) => `También tengo notas sobre ${names}; pregúntame.`,

  everything: "Esto es lo que sé de ti.",
  about: (namespace) => `Esto es lo que tengo en ${namespace}:`,
  say: ["Tus notas dicen:", "También dicen:", "Y:"],
  keepInMind: "Ten en cuenta esto:",
  mentionedTwice: (word) => `Cuidado: más de una de estas notas menciona ${word}.`,

  noNotes:
    "Todavía no tengo ninguna nota abierta, así que no puedo responder a eso. En cuanto haya alguna, te ayudaré con gusto.",
  unknown: "No veo eso en las notas que tengo abiertas.",
  nearest: "Lo más cercano que he encontrado es esto:",
  noSuchAllergy: (word) => `No veo ninguna nota sobre una alergia a ${word}, lo que no significa que no la haya.`,
  mayBear: "Quizá tenga que ver con esto:",
  noClock: "No tengo calendario y no sé qué día es hoy. Estas son las fechas de tus notas.",

  sorry: "Lo siento mucho.",
  seeDoctor: "Si empeora o te preocupa, habla con un médico.",
  askBeforeEating: "No puedo prometerte que sea seguro para ti: pregunta antes de comer o beber.",
  askAboutMedicine:
    "Eso debe decirlo tu médico o farmacéutico: pregúntale antes de tomar, cambiar u omitir una medicina.",
  ifAnyReaction: "Si notas cualquier reacción, llama de inmediato a emergencias: al 112, al 911 o a tu número local.",
  tellHelpers: "Esto es lo que deben saber quienes te ayuden:",
  tellHelpersInGeneral: "Di a quienes ayuden qué alergias y medicinas conoces.",
  notAlone: "Me alegra que me lo hayas dicho. Solo soy un programa: habla ahora con una persona, aunque cueste.",
};
