import { describe, expect, it } from 'vitest';
import { writeWarnings } from '../../../../src/core/issues/answers.js';
import { listingRequest } from '../../../../schemas/listing_request.js';
import { createKeyRules } from '../../../../src/core/listings/requests/key_rules.js';
import { parseInput } from '../../../../src/core/operations/parse_input.js';
import { isOneTypoAway, hasSameWords } from '../../../../src/core/operations/unknown_keys/near_miss.js';
import {
  listUnknownKeys,
  toWarnings,
  type UnknownKeys,
} from '../../../../src/core/operations/unknown_keys/unknown_keys.js';
import { buildBody, buildSeeds } from '../../../fuzz/inputs.js';
import { createRandom } from '../../../fuzz/random.js';
import { buildPhysical } from '../../rules/sample.js';

/*
 * Work is measured in comparisons: at most 200 keys are compared, each with the keys of its own object (twice)
 * and of the interface.
 */

const MOST_KEYS = 200;
const MOST_COMPARISONS = MOST_KEYS * 150;

const request = buildPhysical();

function buildKeys(count: number, prefix = 'stat'): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 0]));
}

/** As in the gate. */
function list(body: object): UnknownKeys {
  return listUnknownKeys(listingRequest, parseInput(listingRequest, body).revived, createKeyRules);
}

describe('an object with more keys than any can have', () => {
  it.each([
    ['480,000 keys at the top', buildKeys(480_000), { at: '', count: 480_000 }],
    ['60,000 keys at the top', { ...request, ...buildKeys(60_000) }, { at: '', count: 60_008 }],
    [
      '60,000 keys in the listing',
      { ...request, listing: buildKeys(60_000) },
      { at: 'listing', count: 60_000 },
    ],
  ])('is refused before any is compared: %s', (_name, body, { at, count }) => {
    const parsed = parseInput(listingRequest, body);
    expect(parsed).toMatchObject({
      ok: false,
      issues: [{ code: 'keys_too_many', at, params: { count, most: 1000 } }],
    });
    expect(listUnknownKeys(listingRequest, parsed.revived, createKeyRules).comparisons).toBe(0);
  });

  it('is not even parsed if it is JSON inside of a text', () => {
    const parsed = parseInput(listingRequest, JSON.stringify(buildKeys(60_000)));
    expect(parsed).toMatchObject({
      ok: false,
      issues: [{ code: 'type_wrong', params: { received: 'string' } }],
    });
    expect(listUnknownKeys(listingRequest, parsed.revived, createKeyRules).comparisons).toBe(0);
  });
});

describe('many keys', () => {
  it.each([
    ['999 in each of 60 shops', { ...request, shops: Array.from({ length: 60 }, () => buildKeys(999)) }, 799],
    [
      'others in each of 60 shops',
      { ...request, shops: Array.from({ length: 60 }, (_, shop) => buildKeys(999, `k${shop}_`)) },
      60 * 999 - MOST_KEYS,
    ],
    [
      'one other in each of 9,000 offerings',
      {
        ...request,
        variations: { offerings: Array.from({ length: 9_000 }, (_, at) => ({ [`o${at}`]: 1 })) },
      },
      9_000 - MOST_KEYS,
    ],
    [
      'others in each of 9,000 offerings of as many properties',
      {
        ...request,
        variations: {
          properties: Array.from({ length: 9_000 }, (_, at) => ({ name: `name ${at}` })),
          offerings: Array.from({ length: 9_000 }, (_, at) => ({ [`o${at}`]: 1 })),
        },
      },
      9_000 - MOST_KEYS,
    ],
  ])('are compared up to a limit, and the rest is counted: %s', (_name, body, left_out) => {
    const unknown = list(body);
    expect(unknown.keys).toHaveLength(MOST_KEYS);
    expect(unknown.comparisons).toBeLessThan(MOST_COMPARISONS);
    const last = writeWarnings(toWarnings(unknown)).at(-1);
    const counted = Number(/^(\d+) more unknown keys were ignored\.$/.exec(last?.reason ?? '')?.[1]);
    expect(counted).toBeGreaterThanOrEqual(left_out);
  });

  it('of one name are one key, with its first places', () => {
    const offerings = Array.from({ length: 9_000 }, () => ({ size: 'S', ean: '1' }));
    const unknown = list({ ...request, variations: { ...(request['variations'] as object), offerings } });
    const [warning, ...others] = writeWarnings(toWarnings(unknown));
    expect(others).toEqual([]);
    expect(warning?.fields).toHaveLength(50);
    expect(warning?.reason).toMatch(/^"ean" is an unknown key and was ignored \(in 9000 places\)\./);
  });

  it('inside of an unknown key are not compared', () => {
    const unknown = list({
      ...request,
      campaign: { rows: Array.from({ length: 1_000 }, () => buildKeys(50)) },
    });
    expect(unknown.keys.map(({ key }) => key)).toEqual(['campaign']);
  });
});

describe('a long key', () => {
  it('is not a near miss, with any beginning', () => {
    for (const length of [65, 1_000_000]) {
      const key = `state${'_'.repeat(length - 5)}`;
      expect([isOneTypoAway(key, 'state'), hasSameWords(key, 'state')]).toEqual([false, false]);
    }
    expect(hasSameWords('state', `state_${'x'.repeat(100_000)}`)).toBe(false);
    expect(isOneTypoAway(`state${'_'.repeat(59)}`, 'state')).toBe(true);
  });
});

describe('the fuzz corpus', () => {
  it('never takes more comparisons than the maximum', () => {
    const target = { shop_id: 1, shipping_profile_id: 2, return_policy_id: 3 };
    const url = 'https://shop.example/1';
    const world = {
      targets: [target],
      images: [url, url],
      pdf: url,
      clip: url,
      listing_pks: [1],
      job_ids: ['j'],
    };
    const seeds = buildSeeds(world);
    let most = 0;
    for (let seed = 1; seed <= 500; seed += 1) {
      const body = buildBody(seeds, createRandom(seed)) as object;
      most = Math.max(most, list(body).comparisons);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(MOST_COMPARISONS);
  });
});
