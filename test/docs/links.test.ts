import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../src/cli/program.js';
import { toAnchor } from '../../src/transports/pages/docs/markdown.js';
import { ROOT } from '../architecture/sources.js';

/*
 * The targets in the project's texts: files, headings, URLs and commands. URLs of other sites are only
 * checked for form, never opened.
 */

const FOLDERS = ['.github', 'src', 'test', 'tools'];
const files = [
  'README.md',
  'CHANGELOG.md',
  ...(
    await Promise.all(
      FOLDERS.map(async (folder) =>
        (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name)),
      ),
    )
  )
    .flat()
    .filter((name) => name.endsWith('.md')),
];
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] as const)),
);

/** Without fenced blocks, whose brackets are not links. */
function listLinks(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
}

const isExternal = (href: string) => /^[a-z]+:/.test(href);

describe.each([...texts])('%s', (file, text) => {
  const links = listLinks(text);

  it.runIf(links.some((href) => !isExternal(href)))('links to existing files and headings', async () => {
    for (const href of links.filter((one) => !isExternal(one))) {
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      const content =
        texts.get(target) ?? (await readFile(join(ROOT, target), 'utf8').catch(() => undefined));
      expect({ href, isFile: content !== undefined }).toEqual({ href, isFile: true });
      if (anchor === undefined) continue;
      const anchors = [...(content ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        toAnchor(heading),
      );
      expect({ href, isHeading: anchors.includes(anchor) }).toEqual({ href, isHeading: true });
    }
  });

  it.runIf(links.some(isExternal))('names full https URLs without a user', () => {
    for (const href of links.filter(isExternal)) {
      const { protocol, hostname, username } = new URL(href);
      expect({ href, protocol, username }).toEqual({ href, protocol: 'https:', username: '' });
      expect(hostname).toMatch(/^([a-z0-9-]+\.)+[a-z]{2,}$/);
    }
  });

  const commands = listCommands(text);
  it.runIf(commands.length > 0)('names existing commands and options', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    for (const command of commands) {
      const [tool = '', ...args] = command.split(/\s+/);
      const script = tool === 'npm' ? args.find((word) => !word.startsWith('-')) : undefined;
      const isKnown = script === undefined ? isOfProgram(program, args) : script in scripts;
      expect({ command, isKnown }).toEqual({ command, isKnown: true });
    }
  });
});

/**
 * `npm run NAME` and the program under each of its names, with the words after them up to the end of the line
 * or code.
 */
function listCommands(text: string): string[] {
  const npm = [...text.matchAll(/\bnpm run ((?:-s )?[a-z][\w:]*)/g)].map(([, name = '']) => `npm ${name}`);
  const own = [
    ...text.matchAll(/(?:`|^|[ (])(?:node dist\/src\/cli\.js|listing-service) ([a-z][^`\n#|;&()]*)/gm),
  ];
  return [...npm, ...own.map(([, words = '']) => `listing-service ${words.trim()}`)];
}

/** Whether the program has the command and its options. Placeholders are ignored. */
function isOfProgram(of: Command, [word = '', ...others]: string[]): boolean {
  const inner = of.commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (inner) return isOfProgram(inner, others);
  if (of === program) return false;
  const known = new Set(['--help', ...of.options.map(({ long }) => long)]);
  return [word, ...others]
    .filter((one) => one.startsWith('--'))
    .every((one) => known.has(/^[^=.,]+/.exec(one)?.[0] ?? ''));
}
