import { isDeepStrictEqual } from 'node:util';
import { describeFound, describeWanted, toObjects } from './described.mjs';

/*
 * The rule for every listing_create of a recording: what dry_run says is what comes of it. What is called valid is sent, is taken
 * in every shop without a warning that was not told before, and lies in the marketplace as it was asked for; what is not valid is
 * refused in the same words.
 */

/** Said to this one call, and not of what it asks for. */
const OF_THE_CALL = /^(ACTIVATION_DECLINED|VALIDATION_FAILED confirm: )/;

/**
 * Sends a request after looking at it with dry_run; a request that is a dry_run itself is published when it is called valid, a
 * draft too. Answers what the assistant was told. `send`: makes the assistant's own call.
 */
export async function createAsChecked({ assistant, world }, input, send = assistant.call) {
  const { dry_run, ...request } = input;
  const checked = await assistant.call('listing_create', { ...input, dry_run: true });
  if (dry_run === true && !checked.answer) return checked;
  const told = await send('listing_create', request);
  if (told.error && OF_THE_CALL.test(describe(told))) return told;
  if (describe(told) !== describe(checked)) {
    throw new Error(`dry_run: ${describe(checked)}; then: ${describe(told)}`);
  }
  if (!told.answer || told.answer.status === 'confirmation_required') return told;
  let published = told.answer;
  if (published.status === 'draft' && dry_run === true) {
    const { listing_pk } = published;
    published = await assistant.ask('listing_publish', { listing_pk, state: 'publish' });
  }
  if (published.status !== 'draft') {
    const foretold = listWarnings(checked.answer);
    expectForetold(published, foretold);
    await expectThere(world, toObjects(request), published, foretold);
  }
  return dry_run === true ? checked : told;
}

function describe({ answer, error }) {
  if (answer) return 'valid';
  return error ? `${error.code} ${error.message}` : 'no answer';
}

/** What is more than a harmless default, as "code path". */
export function listWarnings({ warnings = [], shops = [], results = [] }) {
  const all = [...warnings, ...[...shops, ...results].flatMap((one) => one.warnings ?? [])];
  const lines = all
    .filter(({ level }) => level !== 'note')
    .flatMap(({ code, fields }) => (fields.length > 0 ? fields.map((field) => `${code} ${field}`) : [code]));
  return [...new Set(lines)];
}

function expectForetold({ results }, foretold) {
  const failed = results.find(({ status }) => status !== 'ok');
  if (failed) throw new Error(`called valid, then: ${failed.error ?? failed.status}`);
  const isForetold = (line) => foretold.some((one) => getPath(one).startsWith(getPath(line)));
  const later = listWarnings({ results }).filter((line) => !isForetold(line));
  if (later.length > 0) throw new Error(`called valid, then warned of ${later.join(', ')}`);
}

const getPath = (line) => line.split(' ')[1] ?? '';

/** Of every shop's listing, what was asked for against what the marketplace has; what was told to be at risk is left out. */
async function expectThere(world, request, { results }, foretold) {
  const { listings } = await world.readState();
  for (const { shop_id, listing_id } of results) {
    const listing = listings.find((one) => one.listing_id === listing_id);
    if (!listing) throw new Error(`called valid, and not on the marketplace in ${shop_id}`);
    const found = describeFound(listing);
    for (const [key, wanted] of Object.entries(describeWanted(request, Number(shop_id)))) {
      const isAtRisk = foretold.some((line) => line.startsWith(`marketplace_limit ${key}`));
      if (isAtRisk || isDeepStrictEqual(wanted, found[key])) continue;
      throw new Error(`${key}: ${JSON.stringify(found[key])} instead of ${JSON.stringify(wanted)}`);
    }
  }
}
