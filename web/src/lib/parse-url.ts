/** Undefined when it is none. `URL.parse` is newer than some browsers that the app is built for. */
export const parseUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;
