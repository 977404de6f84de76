const { bundleEntry } = (await import(new URL('bundle.mjs', import.meta.url).href)) as {
  bundleEntry(): Promise<string>;
};

/** entry.ts as Node runs it. */
export const ENTRY = await bundleEntry();
