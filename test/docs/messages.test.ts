import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Issue, IssueCode, NoteCode, NoteParams } from '../../schemas/issue.js';
import { NOTE_WORDS } from '../../src/core/issues/notes.js';
import { ISSUE_WORDS, renderForSeller, renderLine, writeText } from '../../src/core/issues/render.js';
import type { Words } from '../../src/core/issues/words.js';
import { readSources, ROOT } from '../architecture/sources.js';
import { ISSUE_SAMPLES, NOTE_SAMPLES } from './issue_samples.js';

const FILE = join(ROOT, 'src', 'docs', 'messages.md');

const INTRODUCTION = `# Messages

Problems of requests, warnings, and failures of jobs: in the words for programs and assistants, and for sellers on the pages of the dashboard. The values are samples. This page is made from \`src/core/issues\` by \`npm run readme\`.
`;

/** Texts that a sentence for sellers must not contain. */
const FOR_PROGRAMS =
  /\b(?:listing|store|categories|webhook|file|shop)_[a-z]+|\b(?:shops|images|changes|listing|variations)(?:\[|\.\w)|[A-Z]{3,}_[A-Z]/;

const issues = Object.keys(ISSUE_SAMPLES).map((code) => toIssue(code as IssueCode));

function toIssue(code: IssueCode): Issue {
  const [at, params] = ISSUE_SAMPLES[code];
  return { code, at, params } as Issue;
}

function sayNote<Code extends NoteCode>(
  code: Code,
  [at, params]: (typeof NOTE_SAMPLES)[Code],
): { program: string; seller: string } {
  const words: Words<NoteParams>[Code] = NOTE_WORDS[code];
  return { program: words.program(params, at, String), seller: words.seller(params, at, String) };
}

it('messages.md has every message for both readers; npm run readme writes it', async () => {
  const lines = issues.map(
    (issue) =>
      `- \`${issue.code}\`: ${writeText(renderLine(issue))}\n  Sellers: ${writeText(renderForSeller(issue))}`,
  );
  const notes = (Object.keys(NOTE_SAMPLES) as NoteCode[]).map((code) => {
    const { program, seller } = sayNote(code, NOTE_SAMPLES[code]);
    return `- \`${code}\`: ${program}\n  Sellers: ${seller}`;
  });
  const text = `${INTRODUCTION}\n${lines.join('\n')}\n\n## Additions\n\n${notes.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot(FILE);
});

it('messages.md has a sample of every code', () => {
  expect(issues.map(({ code }) => code).sort()).toEqual(Object.keys(ISSUE_WORDS).sort());
  expect(Object.keys(NOTE_SAMPLES).sort()).toEqual(Object.keys(NOTE_WORDS).sort());
});

it('messages.md names no operation, field or setting to sellers', () => {
  const foreign = issues
    .filter(({ code }) => code !== 'saved_key_unknown')
    .map((issue) => writeText(renderForSeller(issue)))
    .filter((text) => FOR_PROGRAMS.test(text));
  expect(foreign).toEqual([]);
});

it('every text of a problem is in the catalog', () => {
  const found = readSources()
    .filter(({ file }) => /^(src\/(core|dashboard|transports|media|webhooks)|tools)\//.test(file))
    .filter(({ file }) => !file.startsWith('src/core/issues/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\{\s*(?:path|at)\b[^{}]*?,\s*message\b/g)].map(([match]) => `${file}: ${match}`),
    );
  expect(found).toEqual([]);
});
