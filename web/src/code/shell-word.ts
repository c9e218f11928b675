// Quotes words for a POSIX shell, so that whatever they hold stays one word.

const SAFE = /^[\w@%+:,./][\w@%+=:,./-]*$/;

export const shellWord = (word: string): string => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
