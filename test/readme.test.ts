import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillReadme, REPOSITORY, restoreReadme } from '../.ci/readme.mjs';
import { ROOT } from './architecture/sources.js';

const MAX_LINES = 110;

const readRoot = (file: string) => readFile(join(ROOT, file), 'utf8');

it('the README takes a few minutes to read, and starts with the two commands and the picture', async () => {
  const text = await readRoot('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  const order = ['![', 'npm ci && npm start', 'npm ci && npm test', '## Claude', '### A first conversation'];
  const places = order.map((part) => text.indexOf(part));
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
});

it("the README has a place for the project's URL, which packing fills in and then removes", async () => {
  const text = await readRoot('README.md');
  const { repository } = JSON.parse(await readRoot('package.json')) as { repository: { url: string } };
  const filled = fillReadme(text, repository.url);
  const address = repository.url.replace(/^git\+/, '');
  expect(text).toContain(`git clone ${REPOSITORY} `);
  expect(filled).toContain(`git clone ${address} `);
  expect(filled).not.toContain(REPOSITORY);
  expect(restoreReadme(filled, repository.url)).toBe(text);
});

/**
 * Links that Cursor and VS Code open through a page of theirs: https, because GitHub does not link other
 * schemes.
 */
it("the README's links install the package in Cursor and VS Code", async () => {
  const text = await readRoot('README.md');
  const { name } = JSON.parse(await readRoot('package.json')) as { name: string };
  const find = (host: string) => {
    const href = new RegExp(`\\]\\((https://${host}/[^)]+)\\)`).exec(text)?.[1] ?? '';
    return Object.fromEntries(new URL(href).searchParams) as { name: string; config: string };
  };
  const cursor = find('cursor.com');
  const code = find('vscode.dev');
  expect([cursor.name, code.name]).toEqual(['listing-service', 'listing-service']);
  const start = { command: 'npx', args: ['-y', name, 'stdio'] };
  expect(JSON.parse(Buffer.from(cursor.config, 'base64').toString())).toEqual(start);
  expect(JSON.parse(code.config)).toEqual({ type: 'stdio', ...start });
});
