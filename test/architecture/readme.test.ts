import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUSE } from './rooms.js';
import { ROOT } from './sources.js';

/* The page about the architecture, held against what is there. */

/** Beside src: rooms of their own. */
const TOP = ['schemas', 'tools'];
const EVERY = 'every room but ';

const text = readFileSync(join(ROOT, 'src', 'README.md'), 'utf8');
const rooms = readRooms();

/** Rows of the first table: a room, and what it may import. */
function readRooms(): Map<string, string[]> {
  const section = text.split('\n## The rooms')[1]?.split('\n## ')[0] ?? '';
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

/** Of a path in the page; those outside of src are written from the root. */
function isThere(path: string): boolean {
  return existsSync(join(ROOT, 'src', path)) || existsSync(join(ROOT, path));
}

describe('src/README.md', () => {
  it('names the rooms that there are, and no other', () => {
    const entries = readdirSync(join(ROOT, 'src')).filter((name) => name !== 'README.md');
    const there = new Set([...TOP, ...entries.map((name) => name.replace(/\.ts$/, ''))]);
    expect([...rooms.keys()].toSorted()).toEqual([...there].sort());
  });

  it.each(Object.entries(HOUSE))('tells what %s may import', (room, imported) => {
    expect(rooms.get(room)?.toSorted()).toEqual([...imported].sort());
  });

  it('names files and folders that are there', () => {
    const paths = listQuoted(text).filter((quoted) => /^[\w./-]+(\/|\.\w+)$/.test(quoted));
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});
