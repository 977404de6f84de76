import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { APART } from './apart.mjs';

/**
 * Packages that a dependency loads only if they are installed; a development package may have installed them
 * here.
 */
const OPTIONAL = new Set(['supports-color']);

export const external = (id) => APART.has(id) || OPTIONAL.has(id);
export const alias = {
  // Its other form finds its own files only at run time.
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('sdk_shims.mjs', import.meta.url)),
};

/**
 * Bundles the compiled modules and the packages they use into few files; lazily imported modules get files of
 * their own. Node takes far longer to find and link a thousand modules than to run the few that a command
 * needs. The packages' licenses go into the same folder.
 *
 * @param {string} compiled where the modules are
 * @param {string} folder where the files go
 * @param {Readonly<Record<string, string>>} made code that replaces a module, by the module's path
 * @returns by file, the modules that it consists of
 */
export async function bundle(compiled, folder, made) {
  const source = join(compiled, 'src');
  const build = await rolldown({
    input: { cli: join(source, 'cli.js') },
    platform: 'node',
    external,
    resolve: { alias },
    plugins: [
      {
        name: 'made',
        // The compiler's own source map, so that positions lead back to the sources.
        async load(id) {
          const code = made[toPath(compiled, id)];
          if (code !== undefined || !id.startsWith(compiled)) return code;
          return { code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') };
        },
      },
      {
        // All files are in one folder, from which each module must still find its neighboring files.
        name: 'places',
        transform(code, id) {
          if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined;
          const place = `new URL('./${toPath(source, id)}', import.meta.url).href`;
          // Line numbers stay the same, and stack traces name lines.
          return { code: code.replaceAll('import.meta.url', place), map: null };
        },
      },
    ],
    onLog(level, { message }) {
      throw new Error(`${level}: ${message}`);
    },
  });
  const names = '[name].js';
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: names,
    chunkFileNames: names,
    sourcemap: true,
    sourcemapExcludeSources: true,
    // The files move up by one folder at the end of the build.
    sourcemapPathTransform: (source) => source.replace('../', ''),
    // V8 keeps the source text in memory, with two bytes per character if the file has one beyond Latin-1.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  await writeFile(join(folder, 'third_party_licenses.txt'), await collectLicenses(output));
  const root = dirname(compiled);
  return Object.fromEntries(
    output.map(({ fileName, moduleIds = [] }) => [fileName, moduleIds.map((id) => toPath(root, id))]),
  );
}

/** The license of every package that went into the files: most require that their text accompany their code. */
async function collectLicenses(output) {
  const folders = new Set();
  for (const { moduleIds = [] } of output) {
    for (const id of moduleIds) {
      const [folder] = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  }
  const texts = await Promise.all([...folders].sort(byName).map(describeLicense));
  return texts.join('\n\n');
}

const byName = (one, other) => one.localeCompare(other);

async function describeLicense(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder))
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort(byName);
  const words = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...words.map((text) => text.trim())].join('\n\n');
}

function toPath(from, file) {
  return relative(from, file).split(sep).join('/');
}
