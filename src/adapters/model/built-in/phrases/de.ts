import { joinList, type Phrases } from "./en.ts";

export const de: Phrases = {
  quote: (text) => `„${text}“`,
  list: (names) => joinList(names, "und"),

  hello: {
    assistant: "Hallo! Was möchtest du wissen?",
    companion: "Hallo, schön, von dir zu hören. Wie geht es dir heute?",
  },
  howAreYou: "Danke der Nachfrage. Ich bin ein Programm, mir geht es immer gleich. Wie geht es dir?",
  thanks: { assistant: "Gern geschehen.", companion: "Sehr gern. Pass gut auf dich auf." },
  goodbye: "Auf Wiedersehen, und alles Gute.",
  identity: {
    assistant:
      "Ich bin der eingebaute Assistent von Portcullis, ein kleines Programm und kein Mensch. Ich antworte aus den Notizen, die mir offenstehen, und erfinde nichts.",
    companion:
      "Ich bin dein Gesundheitsbegleiter, ein kleines Programm und kein Arzt. Ich antworte aus den Notizen, die du mir offen lässt, und erfinde nichts.",
  },
  abilities: {
    assistant:
      "Frag mich nach allem, was in den Notizen steht, die mir offenstehen: was geplant ist, wann, wie viel, oder alles zu einem Thema. Ich zitiere die Notizen und sage, woher sie stammen.",
    companion:
      "Frag mich nach deinem Essen, deinen Medikamenten, deinen Tagen und deinem Training. Ich sage dir, was in deinen Notizen steht, und ersetze nie einen Arzt.",
  },
  cannotWrite:
    "Ich kann deine Notizen nicht selbst ändern. Auf der Seite Memories kannst du eine hinzufügen, und ich nutze sie, sobald sie mir offensteht.",
  unclear: "Ich bin nicht sicher, was du wissen möchtest.",
  notesOn: (names) => `Ich habe Notizen zu ${names}; frag einfach.`,
  alsoNotesOn: (names) => `Ich habe auch Notizen zu ${names}; frag einfach.`,

  everything: "Das weiß ich über dich.",
  about: (namespace) => `Das habe ich unter ${namespace}:`,
  say: ["In deinen Notizen steht:", "Dort steht auch:", "Und:"],
  keepInMind: "Bitte denk daran:",
  mentionedTwice: (word) => `Vorsicht: In mehr als einer dieser Notizen kommt ${word} vor.`,

  noNotes:
    "Mir stehen noch keine Notizen offen, deshalb kann ich das nicht beantworten. Sobald es welche gibt, helfe ich gern.",
  unknown: "Das sehe ich nicht in den Notizen, die mir offenstehen.",
  nearest: "Am nächsten kommt dem das hier:",
  noSuchAllergy: (word) =>
    `Ich sehe keine Notiz über eine Allergie gegen ${word}; das heißt nicht, dass es keine gibt.`,
  mayBear: "Das könnte damit zu tun haben:",
  noClock: "Ich habe keinen Kalender und weiß nicht, welcher Tag heute ist. Das sind die Termine in deinen Notizen.",

  sorry: "Das tut mir leid.",
  seeDoctor: "Wenn es schlimmer wird oder dich beunruhigt, sprich bitte mit einem Arzt.",
  askBeforeEating:
    "Ich kann dir nicht versprechen, dass es für dich sicher ist; frag bitte nach, bevor du etwas isst oder trinkst.",
  askAboutMedicine:
    "Das kann nur dein Arzt oder Apotheker sagen: Frag bitte dort, bevor du ein Medikament nimmst, änderst oder weglässt.",
  ifAnyReaction:
    "Wenn du irgendeine Reaktion spürst, ruf sofort den Notruf: 112, 911 oder deine örtliche Notrufnummer.",
  tellHelpers: "Das sollten die wissen, die dir helfen:",
  tellHelpersInGeneral: "Sag denen, die helfen, welche Allergien und Medikamente dir bekannt sind.",
  notAlone:
    "Gut, dass du es mir gesagt hast. Ich bin nur ein Programm: Bitte sprich jetzt mit einem Menschen, auch wenn es schwerfällt.",
};
