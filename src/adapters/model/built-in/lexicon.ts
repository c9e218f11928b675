// A small lexicon in five languages: words that mean the same, and topics. It is what lets "Was darf ich essen?" find a
// note about dinner. It holds common words only; it knows nothing about anybody.
import { stemOf } from "./words.ts";

export const TOPICS = {
  food: 1 << 0,
  drink: 1 << 1,
  medicine: 1 << 2,
  symptom: 1 << 3,
  allergy: 1 << 4,
  exercise: 1 << 5,
  travel: 1 << 6,
  work: 1 << 7,
  money: 1 << 8,
  health: 1 << 9,
  sleep: 1 << 10,
  people: 1 << 11,
  mood: 1 << 12,
} as const;

export interface Entry {
  /** Words with the same number mean the same. 0 for none. */
  synonym: number;
  topics: number;
  /** The topics that the word itself names, as "food" does. */
  named: number;
}

const SYNONYMS = `
dinner supper abendessen abendbrot diner souper cena cenare ceno
lunch mittagessen dejeuner almuerzo pranzo
breakfast fruhstuck desayuno colazione
restaurant place ristorante restaurante gasthaus lokal
coffee kaffee cafe caffe espresso
sleep asleep schlaf schlafen schlafe sommeil dormir dors sueno duermo sonno dormire dormo insomnia
run ran runs running jog jogging laufen laufe lauf joggen courir correr corro corsa correre
knee knie genou rodilla ginocchio
fly flight flew plane flug fliegen fliege fliegt vol avion vuelo volar volo volare aereo
passport reisepass passeport pasaporte passaporto ausweis
doctor arzt arztin medecin medico dottore physician
allergy allergic allergies alergic alergy allergie allergien allergisch allergique allergiques alergia alergias alergico alergica allergia allergie allergico allergica intolerance intolerant anaphylaxis coeliac celiac
insurance versicherung assurance seguro assicurazione
car auto voiture coche macchina
save saved savings sparen gespart spare epargne epargner economies ahorrar ahorro ahorrado ahorros risparmio risparmiato risparmi
cost costs price expensive kosten kostet cout coute prix costar cuesta precio costo costa prezzo
blood blutdruck blut sang sangre sangue
pressure blutdruck druck presion pressione
meeting meet meets met besprechung treffen reunion reunirse riunione incontro
presentation presents present presenting prasentation prasentiere vortrag presentacion presentazione
lead boss manager vorgesetzter vorgesetzte jefe capo
medicine medication medications meds pill pills medikament medikamente tabletten medicament medicaments pastilla pastillas medicina medicinas medicamento medicamentos farmaco farmaci medicine
vegetarian vegetarisch vegetarier vegetarien vegetarienne vegetariano vegetariana
fish fisch poisson pescado pesce
peanut peanuts erdnuss erdnusse cacahuete cacahuetes cacahuate mani arachide arachidi
flat apartment wohnung appartement piso appartamento
trip holiday vacation travel travels urlaub reise vacances voyage vacaciones viaje vacanza vacanze viaggio
weekend wochenende
morning mornings morgens matin mattina mananas
seat sitzplatz sitz siege asiento posto
renew renewed verlangern renouveler renovar rinnovare
pain painful hurt hurts hurting ache aches sore schmerz schmerzen weh douleur dolor duele dolore
expire expires ablaufen lauft expirer expire caducar caduca scadere scade
`;

// In each line the words before the bar name the topic, and those after it belong to it.
const TOPIC_WORDS: Readonly<Record<keyof typeof TOPICS, string>> = {
  food: `food eat eats ate eaten eating meal meals diet menu dish snack cook cooking hungry essen esse isst gegessen
    hunger nourriture manger mange repas comer comida cibo mangiare mangio pasto pasti |
    dinner lunch breakfast restaurant satay thai pizza pasta bread cake chocolate cheese milk egg eggs meat chicken
    fish shellfish shrimp nut nuts peanut vegetarian vegan dessert recipe curry sushi icecream buffet kitchen sugar
    abendessen mittagessen fruhstuck kuchen fleisch diner dejeuner gateau viande cena almuerzo desayuno carne pranzo`,
  drink: `drink drinks drank drinking beverage trinken trinke boire bois beber bebo bere bevo thirsty |
    coffee tea wine beer alcohol cocktail juice smoothie water soda kaffee tee wein bier cafe vin biere vino
    cerveza caffe birra`,
  medicine: `medicine medication medications meds drug drugs pill pills tablet tablets dose dosage prescription
    prescribed pharmacy medikament medikamente tabletten medicament medicaments pastilla pastillas medicina medicamento
    medicamentos farmaco farmaci |
    mg ml cetirizine ibuprofen paracetamol acetaminophen aspirin antibiotic antibiotics penicillin insulin
    antihistamine inhaler vaccine injection painkiller adrenaline epipen statin`,
  symptom: `symptom symptoms sick ill unwell pain painful hurt hurts hurting ache aches sore schmerzen
    schmerz krank weh malade douleur mal enfermo duele dolor malato dolore |
    headache migraine fever nausea dizzy dizziness tired exhausted itchy itch rash hives sneeze sneezing cough
    coughing cold flu vomiting swollen swelling cramps bloated sleepless kopfschmerzen kopfweh fieber mude husten
    schwindlig tete fievre fatigue toux cabeza fiebre cansado cansada tos testa febbre stanco stanca tosse knee pollen`,
  allergy: `allergy allergic allergies alergic alergy allergie allergien allergisch allergique alergia alergias alergico
    alergica allergia allergico allergica intolerance intolerant | anaphylaxis epipen adrenaline celiac coeliac`,
  exercise: `exercise sport sports fitness training train workout gym active bewegung deporte entrenar allenamento |
    run running jog swim swimming cycling yoga kilometre kilometres route knee physiotherapist marathon laufen courir
    correr correre`,
  travel: `travel trip trips holiday vacation journey reise urlaub reisen voyage vacances viaje viajar vacaciones viaggio
    vacanza | fly flies flight plane hotel passport luggage airport seat visa aisle flug vol vuelo volo`,
  work: `work job office career arbeit beruf travail boulot trabajo lavoro |
    meeting board roadmap team lead presentation boss colleague project deadline quarterly besprechung reunion riunione`,
  money: `money finance finances cost costs pay price budget spend spent afford owe geld finanzen kosten argent prix
    dinero precio soldi prezzo | save saves saved savings euro euros dollar dollars bank insurance rent salary invoice
    bill loan cancelled sparen epargne ahorro risparmio`,
  health: `health healthy medical gesundheit gesund sante salud salute |
    doctor blood pressure allergy checkup physiotherapist dentist hospital arzt medecin medico`,
  sleep: `sleep asleep sleeping schlaf schlafen sommeil dormir sueno sonno dormire | night bed tired insomnia awake nap
    coffee mude fatigue cansado stanco`,
  mood: `mood sad unhappy lonely anxious anxiety stressed worried depressed upset overwhelmed crying grieving traurig einsam
    gestresst besorgt triste anxieux anxieuse inquiet inquiete stresse stressee ansioso ansiosa estresado estresada preocupado
    preocupada stressato stressata preoccupato preoccupata | stress grief afraid scared`,
  people: `family friend friends people familie freunde famille amis familia amigos famiglia amici |
    wife husband partner son daughter child children kids mother father parents mum dad brother sister dog cat pet
    birthday name frau mann sohn tochter mutter vater hund katze femme mari fils fille mere pere chien chat esposa marido
    hijo hija madre padre perro gato moglie marito figlio figlia cane gatto`,
};

const NO_ENTRY: Entry = { synonym: 0, topics: 0, named: 0 };

const LEXICON = new Map<string, Entry>();

SYNONYMS.trim()
  .split("\n")
  .forEach((line, i) => {
    for (const word of line.split(" ")) entryOf(word).synonym ||= i + 1;
  });
for (const [topic, words] of Object.entries(TOPIC_WORDS)) {
  const bit = TOPICS[topic as keyof typeof TOPICS];
  const [naming = "", belonging = ""] = words.split("|");
  for (const word of naming.trim().split(/\s+/)) {
    entryOf(word).topics |= bit;
    entryOf(word).named |= bit;
  }
  for (const word of belonging.trim().split(/\s+/)) entryOf(word).topics |= bit;
}

// Words that mean the same belong to the same topics, in every language.
for (const line of SYNONYMS.trim().split("\n")) {
  const entries = line.split(" ").map(entryOf);
  const topics = entries.reduce((all, entry) => all | entry.topics, 0);
  const named = entries.reduce((all, entry) => all | entry.named, 0);
  for (const entry of entries) Object.assign(entry, { topics, named });
}

function entryOf(word: string): Entry {
  const stem = stemOf(word);
  const entry = LEXICON.get(stem) ?? { ...NO_ENTRY };
  LEXICON.set(stem, entry);
  return entry;
}

export const lookUp = (stem: string): Entry => LEXICON.get(stem) ?? NO_ENTRY;
