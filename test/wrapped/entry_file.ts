const { bundleEntry } = (await import(new URL('bundle.mjs', import.meta.url).href)) as {
  bundleEntry(): Promise<string>;
};

/** entry.ts in the form Node runs. */
export const ENTRY = await bundleEntry();
