import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A page for people, written in Markdown. */
export type Guide = {
  /** Name of the file, and of its path under /docs. */
  name: string;
  /** Its first heading. */
  title: string;
  markdown: string;
};

const FOLDER = new URL('../../../docs/', import.meta.url);

/** Guides in the order that a newcomer needs them; a guide that is not listed here comes last. */
const ORDER = [
  'installing',
  'sellers',
  'warnings',
  'troubleshooting',
  'developers',
  'examples',
  'access',
  'webhooks',
  'operators',
  'scale',
];

/** All pages of src/docs. */
export function readGuides(): Guide[] {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => basename(file, '.md'));
  return names
    .toSorted((a, b) => getPlace(a) - getPlace(b) || a.localeCompare(b))
    .map((name) => {
      const markdown = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
      const title = /^# (.+)$/m.exec(markdown)?.[1];
      if (title === undefined) throw new Error(`${name}.md has no heading.`);
      return { name, title, markdown };
    });
}

/** The Grafana dashboard that the operators' guide links, as JSON. */
export function readBoard(): string {
  return readFileSync(new URL(BOARD, FOLDER), 'utf8');
}

/** Its file name, in the folder of the guides. */
export const BOARD = 'grafana.json';

function getPlace(name: string): number {
  return ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length;
}
