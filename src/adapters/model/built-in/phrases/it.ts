import { joinList, type Phrases } from "./en.ts";

export const it: Phrases = {
  quote: (text) => `«${text}»`,
  list: (names) => joinList(names, "e"),

  hello: {
    assistant: "Ciao! Che cosa vuoi sapere?",
    companion: "Ciao, che piacere sentirti. Come stai oggi?",
  },
  howAreYou: "Grazie di averlo chiesto. Sono un programma, quindi sto sempre allo stesso modo. E tu, come stai?",
  thanks: { assistant: "Prego.", companion: "Prego, è un piacere. Abbi cura di te." },
  goodbye: "A presto, e abbi cura di te.",
  identity: {
    assistant:
      "Sono l’assistente integrato di Portcullis, un piccolo programma e non una persona. Rispondo con le note che mi sono aperte e non invento nulla.",
    companion:
      "Sono il tuo compagno per la salute, un piccolo programma e non un medico. Rispondo con le note che mi lasci aperte e non invento nulla.",
  },
  abilities: {
    assistant:
      "Chiedimi quello che dicono le note che mi sono aperte: che cosa è previsto, quando, quanto, o tutto su un argomento. Cito le note e dico da dove vengono.",
    companion:
      "Chiedimi dei tuoi pasti, delle tue medicine, delle tue giornate e del tuo allenamento. Ti dico che cosa c’è nelle tue note, e non sostituisco mai un medico.",
  },
  cannotWrite:
    "Non posso cambiare le tue note. Puoi aggiungerne una nella pagina Memories, e la userò appena mi sarà aperta.",
  unclear: "Non ho capito bene che cosa vuoi sapere.",
  notesOn: (names) => `Ho note su ${names}; chiedi pure.`,
  alsoNotesOn: (names) => `Ho anche note su ${names}; chiedi pure.`,

  everything: "Ecco che cosa so di te.",
  about: (namespace) => `Ecco che cosa ho in ${namespace}:`,
  say: ["Le tue note dicono:", "Dicono anche:", "E:"],
  keepInMind: "Tieni presente:",
  mentionedTwice: (word) => `Attenzione: più di una di queste note parla di ${word}.`,

  noNotes: "Non ho ancora note aperte, quindi non posso rispondere. Appena ce ne saranno, ti aiuterò volentieri.",
  unknown: "Non lo vedo nelle note che mi sono aperte.",
  nearest: "La cosa più vicina che ho trovato è questa:",
  noSuchAllergy: (word) => `Non vedo note su un’allergia a ${word}, il che non vuol dire che non ci sia.`,
  mayBear: "Forse c’entra questo:",
  noClock: "Non ho un calendario e non so che giorno sia oggi. Queste sono le date nelle tue note.",

  sorry: "Mi dispiace.",
  seeDoctor: "Se peggiora o ti preoccupa, parlane con un medico.",
  askBeforeEating: "Non posso prometterti che sia sicuro per te: chiedi prima di mangiare o bere.",
  askAboutMedicine:
    "Lo può dire solo il medico o il farmacista: chiedi prima di prendere, cambiare o saltare un farmaco.",
  ifAnyReaction:
    "Se noti una qualsiasi reazione, chiama subito i soccorsi: il 112, il 911 o il tuo numero di emergenza locale.",
  tellHelpers: "Ecco che cosa deve sapere chi ti aiuta:",
  tellHelpersInGeneral: "Di’ a chi aiuta quali allergie e farmaci conosci.",
  notAlone: "Hai fatto bene a dirmelo. Sono solo un programma: parla adesso con una persona, anche se è difficile.",
};
