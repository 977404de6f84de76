import { expect, it } from 'vitest';
import { listFailures } from '../../src/dashboard/pages/listing/course/failures.js';

type Job = Parameters<typeof listFailures>[0]['history']['jobs'][number];

const build = (job_id: string, more: Partial<Job>): Job => ({
  job_id,
  kind: 'publish',
  state: 'publish',
  status: 'completed',
  created_at: '2026-11-25T10:00:00.000Z',
  completed_at: '2026-11-25T10:00:09.000Z',
  error_message: null,
  cost_usd: 0,
  ...more,
});
const published = build('job_1', {});
const broken = build('job_1', {
  status: 'failed',
  error_message: { code: 'stored_text', params: { text: 'The photos went missing' } },
});
const change = build('job_2', {
  kind: 'update',
  error_message: { code: 'media_not_kept', params: { kind: 'video', index: 0 } },
});

it.each([
  ['nothing, where nothing failed', [published, change], []],
  [
    'a change that failed',
    [published, { ...change, status: 'failed' }],
    ['The video is no longer in the shop, and this service has no copy of it. Upload it again.'],
  ],
  ['a publication, in its own words after a later change', [broken, change], ['The photos went missing.']],
  [
    'no early change, once another went well',
    [published, { ...change, status: 'failed' }, build('job_3', {})],
    [],
  ],
] as [string, Job[], string[]][])('the page explains %s', (_name, jobs, told) => {
  const [{ job_id, status } = published] = jobs;
  expect(listFailures({ job: { job_id, status }, history: { jobs } })).toEqual(told);
});
