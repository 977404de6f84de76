/*
 * The code a creation and an update run through, their commits, the marketplace calls of each kind of work,
 * and the size of core/listings: `npm run measure`. Prints the tables of README.md; with `--files`, only the
 * files of the creation.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose } from '../../.build/src/compose.js';
import { loadConfig } from '../../.build/src/config.js';
import { createSandboxHandler } from '../../.build/src/sandbox/index.js';
import { systemPorts } from '../../.build/src/sandbox/ports.js';
import { openAddon } from '../../.build/src/sqlite.js';
import { operations } from '../../.build/tools/index.js';

const root = join(import.meta.dirname, '..', '..');
const LISTINGS = join('core', 'listings');
const CLAY = { shop_id: 48213377, shipping_profile_id: 211740301, return_policy_id: 1142500101 };
const LINEN = { shop_id: 52660914, price: 31, shipping_profile_id: 223915882, return_policy_id: 1158300402 };

const folder = await mkdtemp(join(tmpdir(), 'measure-'));
const service = await openService();
try {
  const photos = [];
  for (let number = 1; number <= 4; number += 1) {
    const path = join(root, 'test', 'fixtures', `photo-0${number}.jpg`);
    photos.push({ url: (await service.call('file_upload', { path, type: 'image' })).url });
  }
  // The category is read and lazily loaded modules are loaded only once, before the measurement.
  const warm = await service.call('listing_create', buildMug('warm', { state: 'publish' }));
  await service.call('listing_update', {
    listing_pk: warm.listing_pk,
    changes: { listing: { title: 'Warm' } },
  });

  const creation = buildMug('measured', { state: 'publish' });
  const created = await trace(() => service.call('listing_create', creation));
  if (process.argv.includes('--files')) print(created.paths.join('\n'));
  else await measureAll(created, photos);
} finally {
  await service.close();
  await rm(folder, { recursive: true });
}

async function measureAll(created, photos) {
  const { listing_pk } = created.answer;
  const changes = { listing: { title: 'Another mug', price: 31 } };
  const updated = await trace(() => service.call('listing_update', { listing_pk, changes }));
  const sizes = await measureFolders();
  const shapes = await measureShapes(photos);

  print(
    '| One job in one shop | Files of core/listings | Functions of them | Files of src | Functions of them | Commits |',
  );
  print('| --- | --: | --: | --: | --: | --: |');
  for (const [name, { files, functions, own_files, own_functions, commits }] of [
    ['creation without photos', created],
    ['update of title and price', updated],
  ]) {
    print(`| ${[name, own_files, own_functions, files, functions, commits].join(' | ')} |`);
  }
  print('\n| Folder of core/listings | Files | Lines |\n| --- | --: | --: |');
  for (const [name, { files, lines }] of sizes) print(`| ${name} | ${files} | ${lines} |`);
  print('\n| Calls of the marketplace | Predicted | Made | Made by the dry run |\n| --- | --: | --: | --: |');
  for (const { name, predicted, made, dry } of shapes)
    print(`| ${name} | ${predicted ?? '–'} | ${made} | ${dry} |`);
}

async function openService() {
  const settings = {
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '100000',
    SANDBOX_RATE: '10000',
    MAX_ACTIVATIONS_PER_DAY: 'unlimited',
    UPLOAD_ROOTS: join(root, 'test', 'fixtures'),
  };
  const app = await compose(loadConfig({}, settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  const caller = { account_id, credential: 'local', credential_id: 'measure' };
  const sandbox = createSandboxHandler(
    { database_file: join(folder, 'sandbox.db'), origin: 'http://sandbox.test', control: true },
    systemPorts,
  );
  return {
    async call(id, value) {
      const operation = operations.find((known) => known.id === id);
      const outcome = await app.service.invoke(operation, { value }, { caller, face: 'cli' });
      if (!outcome.ok) throw new Error(`${id}: ${JSON.stringify(outcome.error.error)}`);
      return outcome.output;
    },
    async control(method, path, body) {
      const url = `/_sandbox${path}`;
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const answer = await sandbox.handle({ method, url, headers, body: sent });
      return answer.body ? JSON.parse(String(answer.body)) : undefined;
    },
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

function buildMug(key, more) {
  return {
    idempotency_key: key,
    shops: [CLAY],
    listing: {
      title: 'Stoneware mug',
      description: 'A mug.',
      listing_type: 'physical',
      taxonomy_id: 1062,
      price: 24.5,
      quantity: 4,
      who_made: 'i_did',
      when_made: 'made_to_order',
      is_supply: false,
    },
    ...more,
  };
}

/** Files and functions of src that the work runs through (without the sandbox), and its commits. */
async function trace(work) {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const frames = await emptyLog();
  const answer = await work();
  const commits = (await readCommits()) - frames;
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();
  const source = join(root, '.build', 'src');
  const run = result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? relative(source, fileURLToPath(url)) : '..';
    if (file.startsWith('..') || file.startsWith('sandbox')) return [];
    const count = functions.filter(({ ranges: [range] }) => range.count > 0).length;
    return count === 0 ? [] : [{ file, count }];
  });
  const own = run.filter(({ file }) => file.startsWith(LISTINGS + sep));
  return {
    answer,
    commits,
    paths: run.map(({ file }) => file.replace(/\.js$/, '')).sort(),
    files: run.length,
    functions: countFunctions(run),
    own_files: own.length,
    own_functions: countFunctions(own),
  };
}

function countFunctions(files) {
  return files.reduce((total, { count }) => total + count, 0);
}

/** Restarts the write-ahead log. @returns the commits in it */
async function emptyLog() {
  const database = openAddon(join(folder, 'service.db'));
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return readCommits();
}

/** Frames of the write-ahead log that end a transaction: only these contain the size of the database. */
async function readCommits() {
  const log = await readFile(join(folder, 'service.db-wal'));
  if (log.length === 0) return 0;
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    // The salt of the log; frames from before a restart remain in the file with an older salt.
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

async function measureFolders() {
  const folders = new Map();
  const from = join(root, 'src', LISTINGS);
  for (const name of (await readdir(from, { recursive: true })).filter((one) => one.endsWith('.ts')).sort()) {
    const lines = (await readFile(join(from, name), 'utf8')).split('\n').length - 1;
    for (const of of [name.includes(sep) ? name.split(sep)[0] : '(itself)', 'all']) {
      const before = folders.get(of) ?? { files: 0, lines: 0 };
      folders.set(of, { files: before.files + 1, lines: before.lines + lines });
    }
  }
  const all = folders.get('all');
  folders.delete('all');
  return [...folders, ['all', all]];
}

async function measureShapes(photos) {
  const rows = [];
  let count = 0;
  const readCalls = async () => {
    const { calls } = await service.control('GET', '/state');
    return Object.values(calls).reduce((sum, made) => sum + made, 0);
  };
  const add = async (name, operation, input) => {
    const before = await readCalls();
    const shown = await service.call(operation, { ...input, dry_run: true });
    const between = await readCalls();
    const answer = await service.call(operation, input);
    const failed = answer.results?.find(({ status }) => status === 'error');
    if (failed) throw new Error(`${name}: ${failed.error}`);
    const made = (await readCalls()) - between;
    rows.push({ name, predicted: shown.marketplace_calls, made, dry: between - before });
    return answer;
  };
  const create = (more, name) => {
    count += 1;
    const request = buildMug(`shape-${count}`, more);
    return name === undefined
      ? service.call('listing_create', request)
      : add(name, 'listing_create', request);
  };
  const images = photos.slice(0, 2);
  const rich = {
    images,
    category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
    personalization: { enabled: true, instructions: 'A name' },
    variations: {
      properties: [{ property_id: 513, name: 'Glaze', values: ['White', 'Ochre'] }],
      variation_images: { property: 'Glaze', mapping: { White: 0, Ochre: 1 } },
    },
  };

  await create({ state: 'publish' }, 'creation without photos');
  await create({ state: 'active', images }, 'creation with two photos, live');
  const { listing_pk } = await create({ state: 'publish', ...rich }, 'creation with every field');
  await add('publish later', 'listing_publish', { listing_pk, state: 'active' });
  const fault = { operation: 'updateListingInventory', times: 1, action: { type: 'status', status: 400 } };
  await service.control('POST', '/faults', { rules: [fault] });
  const failed = await create({ state: 'publish', ...rich });
  await add('retry of a failed inventory', 'listing_publish', {
    listing_pk: failed.listing_pk,
    state: 'publish',
  });
  await add('copy to another shop, live', 'listing_copy', { listing_pk, shops: [LINEN], state: 'active' });
  const plain = await create({ state: 'active', images });
  const [{ url: first }, { url: second }, { url: third }] = photos;
  const changes = {
    title: { listing: { title: 'Another mug' } },
    price: { offerings: [{ price: 31 }] },
    'alt text': { images: [{ url: first, alt_text: 'Front' }, { url: second }] },
    'order of photos': { images: [{ url: second }, { url: first }] },
    'a photo added': { images: [{ url: first }, { url: second }, { url: third }] },
    attribute: { category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } } },
    personalization: { personalization: { enabled: true, instructions: 'A name' } },
  };
  for (const [name, change] of Object.entries(changes)) {
    await add(`update: ${name}`, 'listing_update', { listing_pk: plain.listing_pk, changes: change });
    await add(`undo: ${name}`, 'listing_undo', { listing_pk: plain.listing_pk });
  }
  await add('deactivation', 'listing_publish', { listing_pk: plain.listing_pk, state: 'inactive' });
  const on_sale = { listing_pk: plain.listing_pk, state: 'active', shops: [CLAY.shop_id] };
  await add('reactivation', 'listing_publish', on_sale);
  await add('undo: reactivation', 'listing_undo', { listing_pk: plain.listing_pk });
  return rows;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
