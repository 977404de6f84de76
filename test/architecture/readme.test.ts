import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUSE } from './rooms.js';
import { ROOT } from './sources.js';

/* What the pages for engineers say of the code, held against it. */

/** Beside src: rooms of their own. */
const TOP = ['schemas', 'tools'];
const EVERY = 'every room but ';

const rooms = readRooms();

function readPage(folder: string): string {
  return readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
}

/** Rows of the first table: a room, and what it may import. */
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

/** Paths in a page begin in its folder, or at the root. */
function isThere(folder: string, path: string): boolean {
  return existsSync(join(ROOT, folder, path)) || existsSync(join(ROOT, path));
}

it.each(['src', 'test'])('%s/README.md names files and folders that are there', (folder) => {
  const paths = listQuoted(readPage(folder)).filter((quoted) =>
    /^[\w./-]+(\/|\.(tsx?|mjs|md|json))$/.test(quoted),
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !isThere(folder, path))).toEqual([]);
});

describe('src/README.md', () => {
  it('names the rooms that there are, and no other', () => {
    const entries = readdirSync(join(ROOT, 'src')).filter((name) => name !== 'README.md');
    const there = new Set([...TOP, ...entries.map((name) => name.replace(/\.ts$/, ''))]);
    expect([...rooms.keys()].toSorted()).toEqual([...there].sort());
  });

  it.each(Object.entries(HOUSE))('tells what %s may import', (room, imported) => {
    expect(rooms.get(room)?.toSorted()).toEqual([...imported].sort());
  });
});
