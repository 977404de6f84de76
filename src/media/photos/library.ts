import type sharp from 'sharp';

type Sharp = typeof sharp;

let library: Promise<Sharp | undefined> | undefined;

/** The image library, an optional package: undefined on a platform without a build of it. */
export async function loadPictureLibrary(): Promise<Sharp | undefined> {
  library ??= load();
  return await library;
}

async function load(): Promise<Sharp | undefined> {
  const loaded = await import('sharp').then(
    (module) => module.default,
    () => undefined,
  );
  // One thread per picture, and no cache between pictures; of the many formats, it reads only those that
  // photos come in.
  loaded?.concurrency(1);
  loaded?.cache(false);
  loaded?.block({ operation: ['VipsForeignLoad'] });
  loaded?.unblock({ operation: READ_FORMATS });
  return loaded;
}

/** The operations that read a format. `Heif` means AVIF here: the library's builds have no decoder for HEIC. */
export const READ_FORMATS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map(
  (format) => `VipsForeignLoad${format}`,
);
