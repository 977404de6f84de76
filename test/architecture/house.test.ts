import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUSE, PARTS } from './rooms.js';
import { readSources, ROOT, toRoom, type Source } from './sources.js';

/** Packages that only some rooms may import. */
const PACKAGES: Record<string, readonly string[]> = {
  '@modelcontextprotocol/server': ['transports'],
  // The older client, in tests.
  '@modelcontextprotocol/sdk': [],
  '@modelcontextprotocol/client': [],
  fastify: ['transports', 'sandbox'],
  '@fastify/multipart': ['transports', 'sandbox'],
  'zod-to-json-schema': ['transports'],
  'better-sqlite3': ['store', 'sandbox', 'sqlite'],
  kysely: ['store'],
  pg: ['store'],
  undici: ['media', 'marketplace', 'webhooks', 'blobs'],
  aws4fetch: ['blobs'],
  'file-type': ['media'],
  pino: ['world'],
  preact: ['pages', 'transports', 'dashboard'],
  'preact-render-to-string': ['pages'],
  marked: ['transports'],
  sharp: ['media'],
  'prom-client': ['transports'],
  commander: ['cli'],
  'env-paths': ['config'],
};

/** The most files and folders in one folder. tools/ may have more: its operations are one list. */
const MAX_SIBLINGS = 22;

const sources = readSources();

function listArrows(isWrong: (source: Source, target: string, isOwn: boolean) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter(({ target, is_own }) => isWrong(source, target, is_own))
      .map(({ target }) => `${source.file} -> ${target}`),
  );
}

function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

describe('the house of rooms', () => {
  it('has only known rooms', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !HOUSE[room])).toEqual([]);
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
    const passing = new Set(['node_modules', 'dist']);
    expect(folders.filter((name) => !passing.has(name)).sort()).toEqual(['schemas', 'src', 'test', 'tools']);
  });

  it('has no import between rooms that may not import each other', () => {
    expect(
      listArrows(({ room }, target, isOwn) => {
        const other = toRoom(target);
        return isOwn && other !== room && !(HOUSE[room] ?? []).includes(other);
      }),
    ).toEqual([]);
  });

  it.each(Object.entries(PARTS))('has in %s only imports from allowed places', (part, allowed) => {
    expect(
      listArrows(
        ({ file }, target, isOwn) =>
          isOwn && isIn(file, part) && !allowed.some((place) => isIn(target, place)),
      ),
    ).toEqual([]);
  });

  it('imports only files that exist', () => {
    const files = new Set(sources.map(({ file }) => file));
    expect(listArrows((_source, target, isOwn) => isOwn && !files.has(target))).toEqual([]);
  });

  it('has no overcrowded folder', () => {
    const names = ['schemas', 'src'].flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
    );
    const counts = new Map<string, number>();
    const files = names.filter((name) => basename(name) !== 'README.md');
    for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_SIBLINGS).map(([folder]) => folder)).toEqual([]);
  });

  it('imports each package only in its rooms', () => {
    expect(
      listArrows(({ room }, target, isOwn) => {
        const name = target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
        return !isOwn && PACKAGES[name] !== undefined && !PACKAGES[name].includes(room);
      }),
    ).toEqual([]);
  });

  it('imports database drivers only in the engines and their migrations', () => {
    const theirs = /^src\/store\/(engine|migrations)\//;
    expect(
      listArrows(
        ({ file, room }, target) =>
          room === 'store' && !theirs.test(file) && /^(pg|better-sqlite3)(\/|$)/.test(target),
      ),
    ).toEqual([]);
  });

  it("writes schemas with zod's v3 API, the only one the conversion reads", () => {
    expect(listArrows((_source, target) => target === 'zod' || target === 'zod/v4')).toEqual([]);
  });

  it('loads no face and no marketplace before it is needed', () => {
    const late = /^(fastify|@fastify\/.*|@modelcontextprotocol\/.*|pino-pretty)$/;
    const reached = listReached('src/cli.ts');
    expect([...reached].filter((target) => late.test(target))).toEqual([]);
    const stdio = listReached('src/cli/serving/stdio.ts');
    expect(
      [...stdio].filter((target) => /^(@?fastify|preact)|^src\/(dashboard|pages)\//.test(target)),
    ).toEqual([]);
  });

  it('has no import cycle, including types', () => {
    expect(
      sources.map(({ file }) => findCircle(file, [])).find((circle) => circle !== undefined),
    ).toBeUndefined();
  });
});

describe('every source file', () => {
  it('leaves the environment to config.ts and the console', () => {
    // Writes programs for readers, which use both.
    const samples = 'src/transports/pages/docs/samples/typescript.ts';
    const reads = sources.filter(({ text }) => /process\.env\b/.test(text)).map(({ file }) => file);
    expect(reads.toSorted()).toEqual(['src/config.ts', samples]);
    expect(sources.filter(({ text }) => /\bconsole\./.test(text)).map(({ file }) => file)).toEqual([samples]);
  });

  it('has a name that says what it contains', () => {
    const vague = /(^|\/)(utils?|helpers?|managers?|handlers?|misc|common)(\.ts|\/)/;
    expect(sources.filter(({ file }) => vague.test(file)).map(({ file }) => file)).toEqual([]);
  });

  it('has a name in snake_case', () => {
    expect(sources.map(({ file }) => file).filter((file) => !/^[a-z0-9_/]+\.tsx?$/.test(file))).toEqual([]);
  });

  it('uses named exports, except the tools', () => {
    const defaults = sources.filter(({ text }) => /^export default /m.test(text)).map(({ room }) => room);
    expect([...new Set(defaults)]).toEqual(['tools']);
  });
});

const byFile = new Map(sources.map((source) => [source.file, source]));
const isDone = new Set<string>();

function listNext(file: string): string[] {
  const imports = byFile.get(file)?.imports ?? [];
  return imports.filter(({ at_start }) => at_start).map(({ target }) => target);
}

function listReached(start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const target of listNext(file)) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

function findCircle(file: string, path: string[]): string | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' -> ');
  if (isDone.has(file)) return undefined;
  for (const { target } of byFile.get(file)?.imports ?? []) {
    const circle = findCircle(target, [...path, file]);
    if (circle) return circle;
  }
  isDone.add(file);
  return undefined;
}
