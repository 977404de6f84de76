import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { fillReadme, REPOSITORY, restoreReadme } from '../.ci/readme.mjs';
import { toAnchor } from '../src/transports/pages/docs/markdown.js';
import { ROOT } from './architecture/sources.js';

const MAX_LINES = 150;

const readRoot = (file: string) => readFile(join(ROOT, file), 'utf8');

it('is read in a few minutes, the two commands and the picture first', async () => {
  const text = await readRoot('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  const order = ['![', 'npm ci && npm start', 'npm ci && npm test', '## Claude', '### A first conversation'];
  const places = order.map((part) => text.indexOf(part));
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
});

/** Links of pages that are read as files: each leads to a file, and to a heading of it. */
it.each(['README.md', 'test/README.md'])('%s leads to what is there', async (file) => {
  const links = [...(await readRoot(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
  const own = links.filter((href) => !href.startsWith('https:'));
  expect(own.length).toBeGreaterThan(0);
  for (const href of own) {
    const [path = '', anchor] = href.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    const text = await readRoot(target);
    if (anchor === undefined) continue;
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading));
    expect([href, anchors.includes(anchor)]).toEqual([href, true]);
  }
});

it('has a place for the address of the project, which packing fills and takes out again', async () => {
  const text = await readRoot('README.md');
  const { repository } = JSON.parse(await readRoot('package.json')) as { repository: { url: string } };
  const filled = fillReadme(text, repository.url);
  const address = repository.url.replace(/^git\+/, '');
  expect(text).toContain(`git clone ${REPOSITORY} `);
  expect(filled).toContain(`git clone ${address} `);
  expect(filled).not.toContain(REPOSITORY);
  expect(restoreReadme(filled, repository.url)).toBe(text);
});
