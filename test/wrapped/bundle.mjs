import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { alias, external } from '../../.ci/bundle.mjs';

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'src');
/** Next to the compiled modules, so each still finds the files stored next to it. */
const folder = join(root, '.build', 'src');

/**
 * @returns the file of entry.ts bundled with the whole program, which starts twice as fast as separate
 * modules
 */
export async function bundleEntry() {
  const build = await rolldown({
    input: { entry: join(import.meta.dirname, 'entry.ts') },
    platform: 'node',
    external,
    resolve: { alias, extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    plugins: [
      {
        name: 'places',
        transform(code, id) {
          if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined;
          const place = relative(source, id).replace(/\.tsx?$/, '.js');
          return {
            code: code.replaceAll('import.meta.url', `new URL('./${place}', import.meta.url).href`),
            map: null,
          };
        },
      },
    ],
    onLog(level, log, handler) {
      if (level !== 'warn') handler(level, log);
    },
  });
  const made = await mkdtemp(join(folder, 'entry-'));
  await build.write({ dir: made, format: 'esm', entryFileNames: 'entry.mjs', codeSplitting: false });
  await build.close();
  // Test files that run at the same time make the same one.
  const file = join(folder, 'entry.mjs');
  await rename(join(made, 'entry.mjs'), file);
  await rm(made, { recursive: true });
  return file;
}
