// What is said first when a question may be about an emergency. It is fixed text: no memory and no model is part of it.
import type { Language } from "#core/prompt/language.ts";
import type { EmergencyKind } from "./emergency-patterns.ts";

export const EMERGENCY_ADVICE: Readonly<Record<Language, Readonly<Record<EmergencyKind, string>>>> = {
  en: {
    medical:
      "Please call emergency services now: 112, 911 or your local emergency number. Don't wait to see whether it passes, and try not to be alone.",
    "self-harm":
      "Please call emergency services now: 112, 911 or your local emergency number, or 988 in the US and 116 123 in many European countries to talk to someone. You matter, and you don't have to carry this alone: please stay with somebody you trust.",
  },
  de: {
    medical:
      "Bitte ruf sofort den Notruf: 112, 911 oder deine örtliche Notrufnummer. Warte nicht ab, ob es vorbeigeht, und bleib nicht allein.",
    "self-harm":
      "Bitte ruf sofort den Notruf: 112, 911 oder deine örtliche Notrufnummer, oder die Telefonseelsorge unter 116 123. Du bist wichtig und musst das nicht allein tragen: Bleib bitte bei jemandem, dem du vertraust.",
  },
  fr: {
    medical:
      "Appelle tout de suite les secours : le 112, le 911 ou ton numéro d’urgence local. N’attends pas que ça passe, et ne reste pas sans personne près de toi.",
    "self-harm":
      "Appelle tout de suite les secours : le 112, le 911 ou ton numéro d’urgence local, ou le 3114 en France pour parler à quelqu’un. Tu comptes, et tu n’as pas à porter cela sans aide : reste avec quelqu’un de confiance.",
  },
  es: {
    medical:
      "Llama ahora mismo a emergencias: al 112, al 911 o a tu número local. No esperes a ver si se pasa, y procura no quedarte a solas.",
    "self-harm":
      "Llama ahora mismo a emergencias: al 112, al 911 o a tu número local, o al 024 en España para hablar con alguien. Tu vida importa y no tienes que cargar con esto a solas: quédate con alguien de confianza.",
  },
  it: {
    medical:
      "Chiama subito i soccorsi: il 112, il 911 o il tuo numero di emergenza locale. Non aspettare che passi, e cerca di avere qualcuno vicino.",
    "self-harm":
      "Chiama subito i soccorsi: il 112, il 911 o il tuo numero di emergenza locale. La tua vita conta e non devi affrontare questo senza aiuto: resta con qualcuno di cui ti fidi.",
  },
};
