// Secrets in a text: passwords, keys, tokens, codes and card numbers. They are never proposed, and never sent to a model. It
// errs on the side of finding one: a fact that is left out can be told again.

/** What people call a secret. A sentence that names one is left out, and so is the one after it, which may hold it. */
const NAMES = [
  "pass(?:word|phrase|code|wd)s?|pwd|passwort|passw[öo]rter|kennwort|mots? de passe|contrase[ñn]as?|parola d.ordine",
  "(?:api|secret|private|access|encryption|signing|license|ssh|gpg|pgp|recovery)[ _-]?keys?",
  "(?:api|access|auth|authentication|bearer|refresh|session|security|login|personal access)[ _-]?tokens?",
  "client[ _-]?secrets?|shared secrets?|(?:seed|recovery|secret|mnemonic)[ _-]?(?:phrase|words)s?",
  "(?:one[ -]?time|verification|confirmation|security|backup|recovery|2fa|mfa|otp|login|sms)[ -]?(?:pass)?codes?",
  "(?:access|alarm|door|gate|entry|lock|unlock|safe|garage)[ -]?codes?|otp|totp|cvv2?|cvc2?|pin[ -]?(?:code|number)s?",
  "(?:login|bank|account) credentials|(?:credit|debit|bank) ?card numbers?|card number|ssn|iban",
  "(?:social security|passport|tax id|routing|account) numbers?",
];
const NAMED = new RegExp(`\\b(?:${NAMES.join("|")})\\b`, "iu");
/** A short word that is mostly another one, with its value behind it. */
const ASSIGNED =
  /\b(?:pin|pass|token|secret|key|pw|code)\b\s*(?:is|are|was|=|:|->)\s*\S*\d|\b(?:pass|pw|secret|token)\s*[:=]\s*\S/iu;
const PIN = /\bpin\b[^.!?\n]{0,20}\d{3,}/iu;

const FORMATS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE|PGP)[\s\S]*/u,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{12,}/u,
  /\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|pypi-|dop_v1_|shp(?:at|ca|pa|ss)_|SG\.|ya29\.|AIza|portcullis_|suiprivkey1|AGE-SECRET-KEY-|whsec_|EAAC|lin_api_|sq0[a-z]{3}-)[\w.=-]{8,}/u,
  /\b(?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{12,}/u,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/u,
  /\bBearer\s+[\w.~+/=-]{8,}/iu,
  /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s/:@]{0,80}:[^\s/@]{1,200}@/iu,
  /\b[a-z]{2}\d{2}(?:\s?[a-z\d]{4}){3,7}(?:\s?[a-z\d]{1,3})?\b/iu,
  /\b\d{3}-\d{2}-\d{4}\b/u,
  /\b[\da-f]{32,}\b/iu,
];
const CARD = /\b\d(?:[ \t.\n-]{0,3}\d){12,18}\b/gu;
/** A run of characters that no word or name has: letters and digits, mixed. */
const RANDOM = /[\w+/=-]{24,}/gu;

export function hasSecret(text: string): boolean {
  const plain = folded(text);
  return NAMED.test(plain) || hasSecretValue(plain);
}

function hasSecretValue(plain: string): boolean {
  if (ASSIGNED.test(plain) || PIN.test(plain) || FORMATS.some((format) => format.test(plain))) return true;
  if (plain.match(CARD)?.some((digits) => passesLuhn(digits.replace(/\D/gu, "")))) return true;
  return plain.match(RANDOM)?.some((run) => /\d/u.test(run) && /[A-Za-z]/u.test(run) && !isSlug(run)) === true;
}

/** Words with hyphens, as in an address: `my-trip-to-lisbon-2026`. */
const isSlug = (run: string): boolean => run.split(/[-_/]/u).every((part) => /^(?:[a-z]{0,14}|\d{0,8})$/iu.test(part));

/** Wide digits and invisible characters hide nothing. */
const folded = (text: string): string => text.normalize("NFKC").replace(/\p{Cf}/gu, "");

/** The check digit of card numbers (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

export const LEFT_OUT = "[left out: may be a secret].";

/** The text without the sentences that hold secrets. If some may still be left, nothing of it. */
export function withoutSecrets(text: string): string {
  if (!hasSecret(text)) return text;
  let isAfterName = false;
  const kept = text.split(/(?<=[.!?])\s+|(?<=\n)/u).map((sentence) => {
    const isSecret = isAfterName || hasSecret(sentence);
    isAfterName = NAMED.test(folded(sentence));
    return isSecret ? LEFT_OUT : sentence;
  });
  const left = kept.join(" ");
  return hasSecretValue(folded(left)) ? LEFT_OUT : left;
}
