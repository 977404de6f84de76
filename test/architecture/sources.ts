import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * One import of a file. `target`: a path from the root for our own files, otherwise the name of a package.
 * `at_start`: loaded together with the file; false for types, and for import(), which loads when reached.
 */
type Import = { target: string; is_own: boolean; at_start: boolean };

export type Source = { file: string; room: string; text: string; imports: Import[] };

/** Every source file of the product with its imports, static or dynamic. */
export function readSources(): Source[] {
  return ['schemas', 'tools', 'src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readSource(join(folder, name))),
  );
}

/** The room of a file: its folder under the root or under src; for files directly in src, their name. */
export function toRoom(file: string): string {
  const [top = '', second = ''] = file.split(sep);
  return top === 'src' ? second.replace(/\.tsx?$/, '') : top;
}

function readSource(file: string): Source {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return { file, room: toRoom(file), text, imports: listImports(file, text) };
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const EXPRESSION = /\bimport\('([^']+)'\)/g;

function listImports(file: string, text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, type, name = '']) =>
    toImport(file, name, type === undefined),
  );
  const expressions = [...text.matchAll(EXPRESSION)].map(([, name = '']) => toImport(file, name, false));
  return [...statements, ...expressions];
}

function toImport(file: string, name: string, at_start: boolean): Import {
  if (!name.startsWith('.')) return { target: name, is_own: false, at_start };
  const compiled = relative(ROOT, resolve(ROOT, dirname(file), name));
  const target = compiled.replace(
    /\.js$/,
    existsSync(join(ROOT, compiled.replace(/\.js$/, '.tsx'))) ? '.tsx' : '.ts',
  );
  return { target, is_own: true, at_start };
}
