import type { Fact } from '../../../schemas/issue.js';
import { expect, it } from 'vitest';
import { toJson } from '../../../src/store/json.js';
import { fromJsonOfFacts, fromStoredFact, toStoredFact } from '../../../src/store/jobs/stored_facts.js';

const OLD = { code: 'stored_text', params: { text: 'The video could not be sent' } };
const FACT: Fact = { code: 'stored_file_gone', params: { filename: 'mug.jpg' } };

it('reads sentences of earlier releases as facts: in warnings by step, in failures, and in results', () => {
  const warning = { code: 'video_failed', fields: ['videos[0]'], reason: `${OLD.params.text}.` };
  const read = { ...warning, reason: OLD };
  expect(fromJsonOfFacts(toJson([warning]))).toEqual([read]);
  expect(
    fromJsonOfFacts(toJson({ warnings: { videos: [warning] }, failure: { error: OLD.params.text } })),
  ).toEqual({ warnings: { videos: [read] }, failure: { error: OLD } });
  expect(fromJsonOfFacts(toJson({ result: { warnings: [warning], error: OLD.params.text } }))).toEqual({
    result: { warnings: [read], error: OLD },
  });
  expect(fromJsonOfFacts(toJson({ shops: [{ warnings: [warning] }], warnings: [] }))).toEqual({
    shops: [{ warnings: [read] }],
    warnings: [],
  });
});

it('reads facts as written, and names from a caller as names', () => {
  const progress = {
    warnings: { videos: [{ code: 'video_failed', fields: [], reason: FACT }] },
    failure: null,
    changes: { variations: { offerings: [{ reason: 'Gift', error: 'None' }] } },
    left_out: [{ field: 'tags', reason: 'Too many.' }],
  };
  expect(fromJsonOfFacts(toJson(progress))).toEqual(progress);
});

it('reads the error message of a job in both forms', () => {
  expect(fromStoredFact(OLD.params.text)).toEqual(OLD);
  expect(fromStoredFact(toStoredFact(FACT))).toEqual(FACT);
  expect(fromStoredFact(null)).toBeNull();
});
