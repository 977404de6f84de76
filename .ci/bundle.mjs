import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

/** Packages with files of their own: addons. */
const APART = new Set(['better-sqlite3', 'sharp']);

/**
 * Joins the compiled modules and the packages they use into few files, in which whatever is imported late stands apart: Node takes far
 * longer to find and link a thousand modules than to run what a command needs of them.
 *
 * @param {string} compiled where the modules are
 * @param {string} folder where the files go
 * @param {Readonly<Record<string, string>>} made code that takes the place of a module, by the module's path
 */
export async function bundle(compiled, folder, made) {
  const source = join(compiled, 'src');
  const build = await rolldown({
    input: { cli: join(source, 'cli.js') },
    platform: 'node',
    external: (id) => APART.has(id),
    plugins: [
      {
        name: 'made',
        load: (id) => made[toPath(compiled, id)],
      },
      {
        // The files lie in one folder, from where each module must still find what lies beside it.
        name: 'places',
        transform(code, id) {
          if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined;
          const place = `new URL('./${toPath(source, id)}', import.meta.url).href`;
          return code.replaceAll('import.meta.url', place);
        },
      },
    ],
    onLog(level, { message }) {
      throw new Error(`${level}: ${message}`);
    },
  });
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  await build.close();
}

function toPath(from, file) {
  return relative(from, file).split(sep).join('/');
}
