import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { PLANTED } from './planted.mjs';

const root = join(import.meta.dirname, '..', '..');

/**
 * Bundles the simulator and the whole program into a folder that Node can run. Each planted fault is compiled
 * alongside the code it replaces; a world chooses which one applies when it begins, and mostly none does.
 */
export async function bundleSimulator(folder) {
  const planted = new Map(PLANTED.map((fault) => [fault.name, fault]));
  const build = await rolldown({
    input: { main: join(root, 'test', 'sim', 'main.ts') },
    platform: 'node',
    external: ['sharp', 'undici'],
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    plugins: [
      {
        name: 'planted',
        transform(code, id) {
          // Files that a module reads are next to its source.
          let changed = code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
          for (const fault of planted.values()) {
            if (!id.endsWith(fault.file)) continue;
            if (changed.split(fault.sound).length !== 2) {
              throw new Error(`${fault.name}: its place in ${fault.file} is not there once`);
            }
            changed = changed.replace(fault.sound, () => fault.plant(fault.sound));
            planted.delete(fault.name);
          }
          return changed === code ? undefined : changed;
        },
      },
    ],
    onLog(level, log, handler) {
      if (level !== 'warn') handler(level, log);
    },
  });
  await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].mjs',
    codeSplitting: false,
  });
  await build.close();
  if (planted.size > 0) throw new Error(`Planted nowhere: ${[...planted.keys()].join(', ')}`);
}
