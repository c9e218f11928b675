// Closed lists of English words: what may be the predicate of a fact about a person. What is not listed is not proposed.
import { wordSet } from "#core/text/words.ts";

/** Present tense: a state or a habit. */
export const HABITS =
  wordSet(`attend avoid bake belong breed brew care coach collect commute compose cook crochet cycle dance
  dislike draw drink drive eat enjoy exercise foster garden grow hate hike identify jog juggle keep knit lead like live love
  manage mentor mind own paint play practice practise prefer raise rent ride run sail share sing skate ski sleep smoke
  speak stay study suffer surf swim take teach tend train travel volunteer wake walk wear weigh work write major specialize
  specialise`);
/** Present tense, but also for a single time: these need a date. */
const PLANS = wordSet(`arrive begin fly get go join leave meet move plan present return start visit finish graduate host
  celebrate marry see need`);
/** Past tense: an event of a life. */
export const EVENTS =
  wordSet(`adopted attended bought broke became completed divorced enrolled finished founded graduated grew
  immigrated injured joined launched learned learnt left lived lost married moved met opened participated organized organised passed
  planted played quit ran received relocated renovated retired returned rescued sold started stopped studied taught took
  traveled travelled trained visited volunteered went won worked wrote flew hiked climbed published performed donated`);
/** Past tense, and often about nothing that lasts: these need a date. */
const DEEDS =
  wordSet(`applied asked ate baked began booked brought built called came celebrated changed checked chose cleaned contributed cooked created
  decided designed developed did dined drank drew drove enjoyed fell felt fixed found gave got had hosted invited kept made ordered painted
  paid picked planned presented put read reserved rode said sang saw scheduled sent signed spent stayed swam talked told
  tried turned used wanted watched wore`);

export const DATED = new Set([...PLANS, ...DEEDS]);
export const PRESENT: ReadonlySet<string> = new Set([
  ...HABITS,
  ...PLANS,
  "want",
  "hope",
  "know",
  "think",
  "feel",
  "have",
  "do",
]);
export const MODALS = wordSet("will cannot can't won't");
export const ADVERBS =
  wordSet(`absolutely actually also already always both currently especially finally first frequently generally just
  last mainly mostly never no normally not now occasionally often once only originally particularly primarily rarely
  really recently regularly seldom sometimes still tend then typically usually very longer`);

/** What "I am …" may go on with. */
export const TRAITS =
  wordSet(`allergic intolerant vegetarian vegan pescatarian diabetic asthmatic celiac coeliac pregnant
  married engaged single divorced widowed retired unemployed employed self-employed bilingual left-handed right-handed
  colorblind color-blind colour-blind deaf blind lactose gluten gluten-free lactose-intolerant based born from afraid
  scared responsible fluent hypertensive anemic epileptic autistic dyslexic gay lesbian bisexual transgender nonbinary
  enrolled certified licensed trained raised`);
export const DOINGS =
  wordSet(`living working studying learning training planning moving flying travelling traveling taking
  visiting attending starting leaving staying renovating expecting raising recovering teaching volunteering organizing
  organising hosting adopting retiring graduating running caring suffering writing`);
/** These need a date. */
export const DATED_DOINGS = wordSet(
  "going getting having meeting seeing presenting buying selling coming returning arriving",
);

/** "I have a …" of these is no fact. */
export const PASSING =
  wordSet(`question questions query idea ideas problem problems issue issues feeling doubt doubts request
  favor favour moment minute second look thought thoughts point suggestion suggestions hunch bug error errors task quick
  good great nice fun lovely lot bit little few couple clue hard tough rough bad long busy wonderful terrible day time
  guess hope choice reason trouble troubles say chance blast feedback concern concerns code function script test tests file
  files repo repository program computer pleasure apologies mind opinion understanding god goodness bad word words turn
  message messages text prompt answer answers plan version result results page list table essay email draft homework
  assignment sentence paragraph data query queries app application server heart gosh fault kind sort type fan chat conversation thread session along way`);

export const RELATIONS =
  wordSet(`sister brother mother father mom mum dad wife husband partner girlfriend boyfriend fiance
  fiancee son daughter child baby aunt uncle cousin niece nephew grandmother grandfather grandma grandpa friend boss manager
  colleague coworker roommate flatmate neighbor neighbour dog cat horse rabbit hamster parrot doctor dentist therapist
  teacher landlord stepmother stepfather twin`);

/** Words that point at something outside of the sentence. */
export const UNRESOLVED =
  wordSet(`it its itself this these those here there you your yours yourself yourselves y'all ya u we us
  our ours ourselves let's such same above below latter former`);
export const PERSONS = wordSet("he she they him her his hers their theirs them himself herself themselves");
/** A guess, a wish or an instruction is no fact. */
export const UNCERTAIN =
  wordSet(`maybe perhaps probably possibly might may could would should shall must if unless hopefully guess
  suppose wonder wondering think thought hope wish imagine pretend ignore disregard obey instruction instructions prompt
  assistant kidding joking lol haha hypothetically supposedly allegedly somehow whatever`);
