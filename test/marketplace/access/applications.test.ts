import { expect, it } from 'vitest';
import { createEtsyMarketplace } from '../../../src/marketplace/index.js';
import { createMemoryLog, createMemoryTokens, createStillClock } from '../rig.js';
import { systemRandomness } from '../../../src/world/randomness.js';

it.each([
  ['abc', 'abc'],
  ['long0keystring', 'long0key'],
])('metrics of the key %s:… show at most %s, and nothing of its secret', async (keystring, shown) => {
  const marketplace = createEtsyMarketplace({
    randomness: systemRandomness,
    own: undefined,
    applications: { findShopApplication: async () => null, listApplications: async () => [] },
    getApiUrl: async () => 'http://127.0.0.1:9',
    getConsentUrl: async () => 'http://127.0.0.1:9',
    user_agent: 'test',
    tokens: createMemoryTokens(),
    clock: createStillClock(),
    log: createMemoryLog(),
  });
  marketplace.getConsents({ keystring, shared_secret: 'hush-hush' });
  expect(marketplace.getFigures().map(({ application }) => application)).toEqual([shown]);
  await marketplace.close();
});
