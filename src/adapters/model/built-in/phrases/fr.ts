import { joinList, type Phrases } from "./en.ts";

export const fr: Phrases = {
  quote: (text) => `« ${text} »`,
  list: (names) => joinList(names, "et"),

  hello: {
    assistant: "Bonjour ! Que veux-tu savoir ?",
    companion: "Bonjour, c’est un plaisir de te lire. Comment vas-tu aujourd’hui ?",
  },
  howAreYou: "Merci de demander. Je suis un programme, donc toujours égal à moi-même. Et toi, comment vas-tu ?",
  thanks: { assistant: "Avec plaisir.", companion: "Avec grand plaisir. Prends bien soin de toi." },
  goodbye: "Au revoir, et prends soin de toi.",
  identity: {
    assistant:
      "Je suis l’assistant intégré de Portcullis, un petit programme et non une personne. Je réponds d’après les notes qui me sont ouvertes, et je n’invente rien.",
    companion:
      "Je suis ton compagnon de santé, un petit programme et non un médecin. Je réponds d’après les notes que tu me laisses ouvertes, et je n’invente rien.",
  },
  abilities: {
    assistant:
      "Demande-moi ce que disent les notes qui me sont ouvertes : ce qui est prévu, quand, combien, ou tout sur un sujet. Je cite les notes et je dis d’où elles viennent.",
    companion:
      "Demande-moi ce que tes notes disent de tes repas, de tes médicaments, de tes journées et de ton sport. Je ne remplace jamais un médecin.",
  },
  cannotWrite:
    "Je ne peux pas modifier tes notes. Tu peux en ajouter une sur la page Memories, et je m’en servirai dès qu’elle me sera ouverte.",
  unclear: "Je ne suis pas sûr de ce que tu veux savoir.",
  notesOn: (names) => `J’ai des notes sur : ${names}. Demande-moi.`,
  alsoNotesOn: (names) => `J’ai aussi des notes sur : ${names}. Demande-moi.`,

  everything: "Voici ce que je sais de toi.",
  about: (namespace) => `Voici ce que j’ai sous ${namespace} :`,
  say: ["Tes notes disent :", "Elles disent aussi :", "Et :"],
  keepInMind: "Pense à ceci :",
  mentionedTwice: (word) => `Attention : plus d’une de ces notes parle de ${word}.`,

  noNotes:
    "Aucune note ne m’est encore ouverte, je ne peux donc pas répondre. Dès qu’il y en aura, je t’aiderai volontiers.",
  unknown: "Je ne vois pas cela dans les notes qui me sont ouvertes.",
  nearest: "Le plus proche que j’aie trouvé :",
  noSuchAllergy: (word) =>
    `Je ne vois aucune note sur une allergie à ${word}, ce qui ne veut pas dire qu’il n’y en a pas.`,
  mayBear: "Cela y est peut-être lié :",
  noClock: "Je n’ai pas de calendrier et ne sais pas quel jour nous sommes. Voici les dates dans tes notes.",

  sorry: "J’en suis désolé pour toi.",
  seeDoctor: "Si cela s’aggrave ou t’inquiète, parles-en à un médecin.",
  askBeforeEating: "Je ne peux pas te promettre que c’est sans danger pour toi : demande avant de manger ou de boire.",
  askAboutMedicine:
    "C’est à ton médecin ou à ton pharmacien de le dire : demande-leur avant de prendre, de changer ou d’omettre un médicament.",
  ifAnyReaction:
    "À la moindre réaction, appelle tout de suite les secours : le 112, le 911 ou ton numéro d’urgence local.",
  tellHelpers: "Voici ce que doivent savoir ceux qui t’aident :",
  tellHelpersInGeneral: "Dis à ceux qui aident quelles allergies et quels médicaments tu connais.",
  notAlone:
    "Merci de me l’avoir dit. Je ne suis qu’un programme : parle maintenant à une personne, même si c’est difficile.",
};
