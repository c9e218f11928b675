// Irregular forms of English words, which no rule of a stemmer finds. Each group is a word and its forms.
const GROUPS = `
  be was were been, become became, begin began begun, break broke broken, bring brought, build built, buy bought,
  catch caught, choose chose chosen, come came, draw drew drawn, drink drank drunk, drive drove driven,
  eat ate eaten, fall fell fallen, feel felt, fight fought, find found, fly flew flown, forget forgot forgotten,
  freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, hear heard, hide hid hidden,
  hold held, keep kept, know knew known, lead led, learn learnt, leave left, lend lent, lose lost, make made,
  mean meant, meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, run ran, say said,
  see saw seen, sell sold, send sent, shake shook shaken, shoot shot, show shown, sing sang sung, sit sat,
  sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen, stick stuck, swim swam swum,
  take took taken, teach taught, tell told, think thought, throw threw thrown, understand understood,
  wake woke woken, wear wore worn, win won, write wrote written, child children, person people, man men,
  woman women, foot feet, tooth teeth, mouse mice, knife knives, life lives, wife wives, leaf leaves,
  shelf shelves, good better best, bad worse worst`;

const FORMS: ReadonlyMap<string, string> = new Map(
  GROUPS.split(",").flatMap((group) => {
    const [word = "", ...forms] = group.trim().split(/\s+/);
    return forms.map((form): [string, string] => [form, word]);
  }),
);

/** The word whose irregular form this is, or the word itself. */
export function regularForm(word: string): string {
  return FORMS.get(word) ?? word;
}
