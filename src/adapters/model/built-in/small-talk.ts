// Small talk: greetings, thanks, and questions about the model itself. It needs no memory.
import { wordSet } from "#core/text/words.ts";
import type { Phrases, Voice } from "./phrases.ts";
import { beginsWith, phraseList, type Question, says } from "./reading.ts";

const GREETINGS = wordSet(`hello hi hey hiya howdy good morning afternoon evening day there dear hallo moin servus guten
  tag abend morgen grussgott gruss gott liebe lieber bonjour bonsoir salut coucou hola buenos buenas dias tardes noches ciao
  buongiorno buonasera salve greetings assistant companion again`);
const THANKS =
  wordSet(`thanks thank you thx ty very so much a lot many for your the help that was great helpful ok okay danke
  dank vielen schon sehr dir merci beaucoup bien gracias muchas mil grazie mille tante cheers dankeschon perfect
  wonderful`);
const THANKING = wordSet("thanks thank thx ty danke dank merci gracias grazie cheers dankeschon");
const FAREWELLS =
  wordSet(`bye goodbye good night see you later soon tschuss auf wiedersehen bis bald au revoir adios hasta
  luego pronto arrivederci a presto gute nacht bonne nuit buenas noches buonanotte`);
const LEAVING = wordSet(
  "bye goodbye night later tschuss wiedersehen revoir adios luego arrivederci nacht nuit buonanotte presto bald",
);

const HOW_ARE_YOU =
  phraseList(`how are you|how do you do|hows it going|whats up|wie geht es dir|wie gehts|comment vas tu|comment allez vous|
  comment ca va|como estas|que tal|come stai|come va`);
const WHO_ARE_YOU =
  phraseList(`who are you|what are you|whats your name|what is your name|are you human|are you a human|are you a person|
  are you real|are you a robot|are you a bot|are you an ai|are you a doctor|are you chatgpt|introduce yourself|
  wer bist du|was bist du|wie heisst du|bist du ein mensch|qui es tu|qui etes vous|comment t appelles tu|quien eres|
  como te llamas|eres una persona|chi sei|come ti chiami`);
const WHAT_CAN_YOU_DO =
  phraseList(`what can you do|what do you do|what can i ask|how can you help|can you help me|how do you work|how does this work|
  was kannst du|was machst du|kannst du mir helfen|que peux tu faire|que sais tu faire|peux tu m aider|
  que puedes hacer|que sabes hacer|puedes ayudarme|che cosa puoi fare|cosa puoi fare|cosa sai fare|puoi aiutarmi`);
const WRITING =
  phraseList(`remember that|remember this|please remember|note that|write down|make a note|forget that|forget this|
  forget everything|delete my|merk dir|vergiss|souviens toi|retiens que|oublie|recuerda que|olvida|ricorda che|
  dimentica`);

const LONGEST_GREETING = 8;
const LONGEST_ADDRESS = 9;

export function smallTalk(question: Question, phrases: Phrases, voice: Voice): string | undefined {
  const { words: said } = question;
  if (said.length <= LONGEST_GREETING) {
    if (said.every((word) => GREETINGS.has(word)) && said.length > 0) return phrases.hello[voice];
    if (said.some((word) => THANKING.has(word)) && said.every((word) => THANKS.has(word) || GREETINGS.has(word)))
      return phrases.thanks[voice];
    if (said.some((word) => LEAVING.has(word)) && said.every((word) => FAREWELLS.has(word))) return phrases.goodbye;
    if (says(question, HOW_ARE_YOU)) return phrases.howAreYou;
  }
  if (said.length <= LONGEST_ADDRESS) {
    if (says(question, WHO_ARE_YOU)) return phrases.identity[voice];
    if (says(question, WHAT_CAN_YOU_DO) || question.line === " help ") return phrases.abilities[voice];
  }
  return beginsWith(question, WRITING) ? phrases.cannotWrite : undefined;
}
