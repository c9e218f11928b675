/** In place of a limit: more rows than there will ever be. */
export const UNLIMITED = 2 ** 50;
