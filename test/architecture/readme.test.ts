import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUSE } from './rooms.js';
import { ROOT } from './sources.js';

/* Compares the engineers' pages with the code. */

/** Rooms outside src. */
const TOP = ['schemas', 'tools'];
const EVERY = 'every room but ';

const rooms = readRooms();

function readPage(folder: string): string {
  return readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
}

/** Rows of the first table: a room and its allowed imports. */
function readRooms(): Map<string, string[]> {
  const section = readPage('src').split('\n## The rooms')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` +\|.*\| ([^|]*?) +\|$/gm)];
  const names = rows.map(([, name = '']) => name);
  return new Map(
    rows.map(([, name = '', cell = '']) => {
      const named = listQuoted(cell);
      const has_code = (other: string) => other !== name && Object.hasOwn(HOUSE, other);
      const all = names.filter((other) => has_code(other) && !named.includes(other));
      return [name, cell.startsWith(EVERY) ? all : named];
    }),
  );
}

function listQuoted(part: string): string[] {
  return [...part.matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);
}

function listPaths(part: string): string[] {
  return listQuoted(part).filter((quoted) => /^[\w./-]+(\/|\.(tsx?|mjs|md|json))$/.test(quoted));
}

/** Paths in a page start in its folder, in src, or at the root. */
function isThere(folder: string, path: string): boolean {
  return [folder, 'src', ''].some((start) => existsSync(join(ROOT, start, path)));
}

const pages = ['src', 'test', ...listFolders('src')];

function listFolders(top: string): string[] {
  return readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => basename(name) === 'README.md' && name !== basename(name))
    .map((name) => join(top, dirname(name)));
}

it.each(pages)('%s/README.md names existing files and folders', (folder) => {
  const paths = listPaths(readPage(folder));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !isThere(folder, path))).toEqual([]);
});

describe('src/README.md', () => {
  const page = readPage('src');
  const pick = (heading: string) => page.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? '';

  it('takes ten minutes to read', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(page.split(/[^\w'/.-]+/).length).toBeLessThan(2_400);
    expect(new Set(listPaths(pick('One walk'))).size).toBeLessThanOrEqual(20);
    expect(pick('Ten decisions').match(/^\d+\. /gm)).toHaveLength(10);
  });

  it('names one place to start at for each new thing', () => {
    const rows = [...pick('Where does it go?').matchAll(/^\| (.+?) +\| (.+?) +\|/gm)].slice(2);
    expect(rows.length).toBeGreaterThan(20);
    const others = rows.filter(([, , cell = '']) => listPaths(cell).length !== 1);
    expect(others.map(([row]) => row)).toEqual([]);
  });

  it('lists all rooms and no others', () => {
    const entries = readdirSync(join(ROOT, 'src')).filter((name) => name !== 'README.md');
    const there = new Set([...TOP, ...entries.map((name) => name.replace(/\.ts$/, ''))]);
    expect([...rooms.keys()].toSorted()).toEqual([...there].sort());
  });

  it.each(Object.entries(HOUSE))('says which rooms %s may import', (room, imported) => {
    expect(rooms.get(room)?.toSorted()).toEqual([...imported].sort());
  });
});
