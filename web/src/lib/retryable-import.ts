/** How browsers name the module that they could not fetch. */
const ADDRESS = /https?:\S+\.js/;

/**
 * An `import()` that can be tried again. A browser never fetches a module again that it failed to fetch, so one that was
 * lost is asked for under another address.
 */
export function retryableImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let lost: string | undefined;
  let tries = 0;
  return async () => {
    try {
      return lost === undefined ? await load() : await import(/* @vite-ignore */ `${lost}?again=${++tries}`);
    } catch (error) {
      lost ??= ADDRESS.exec(String(error))?.[0];
      throw error;
    }
  };
}
