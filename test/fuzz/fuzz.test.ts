import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../schemas/error.js';
import type { Operation } from '../../src/core/operations/operation.js';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { parseJsonText } from '../../src/core/operations/json_text.js';
import { operations } from '../../tools/index.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';
import { buildBody, buildInput, buildSeeds, type World } from './inputs.js';
import { askMcpHttp, openStdioFace, type StdioFace, type Told } from './mcp_faces.js';
import type { Tree } from './mutate.js';
import { createRandom, type Random } from './random.js';
import { spoil } from './spoil.js';

/*
 * For any input: no internal error, no hanging call, and an answer in the documented form. FUZZ_SEED repeats
 * a run.
 */

const BODIES = Number(process.env['FUZZ_BODIES'] ?? 500);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const BATCH = 5_000;
const PARALLEL = 6;
/** Share of the calls; the rest goes through the gate, as on the command line. */
const SHARES = { rest: 0.1, mcp_http: 0.1, mcp_stdio: 0.1 };
/** Ten times the slowest valid answer. */
const HANG_MS = 20_000;

const strictErrorBody = errorBody.extend({ error: errorBody.shape.error.strict() }).strict();
const STATUSES: ReadonlySet<number> = new Set([400, 401, 404, 429]);

type Running = { service: TestService; face: HttpFace; stdio: StdioFace; key: string; world: World };
type Face = keyof typeof SHARES | 'gate';

const tally = new Map<string, number>();

describe(`seed ${SEED}`, () => {
  const batches = Math.max(1, Math.ceil(BODIES / BATCH));

  describe.each(Array.from({ length: batches }, (_, index) => index))('batch %i', (batch) => {
    let running: Running;

    beforeAll(async () => {
      running = await start();
    });
    afterAll(async () => {
      await running.stdio.close();
      await running.face.close(1_000);
      await running.service.close();
    });

    const count = Math.min(BATCH, BODIES - batch * BATCH);
    const create = operations.filter(({ id }) => id === 'listing_create');
    const others = operations.filter(({ id }) => id !== 'listing_create');

    it(`${count} bodies of listing_create`, { timeout: 1_800_000 }, async () => {
      const seeds = buildSeeds(running.world);
      await runAll(count, batch * 2, running, (random) => ({
        operation: random.pick(create),
        input: buildBody(seeds, random),
      }));
      expect(tally.get('listing_create 200')).toBeGreaterThan(0);
      expect(tally.get('listing_create VALIDATION_FAILED')).toBeGreaterThan(0);
    });

    it(`${count} inputs of the other operations`, { timeout: 1_800_000 }, async () => {
      await runAll(count, batch * 2 + 1, running, (random) => {
        const operation = random.pick(others);
        return { operation, input: buildInput(operation, running.world, random) };
      });
      expect(tally.get('stores_list 200')).toBeGreaterThan(0);
      for (const face of ['gate', ...Object.keys(SHARES)]) expect(tally.get(face)).toBeGreaterThan(0);
    });
  });

  afterAll(() => {
    const lines = [...tally].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${times} ${name}`);
    if (process.env['FUZZ_BODIES'] !== undefined) process.stdout.write(`seed ${SEED}\n${lines.join('\n')}\n`);
  });
});

async function start(): Promise<Running> {
  const service = await startService({ MAX_ACTIVATIONS_PER_DAY: '1' });
  const targets = (await listTargets(service)) as { [key: string]: Tree }[];
  const images = await Promise.all(['photo-01.jpg', 'photo-02.jpg'].map((name) => upload(service, name)));
  const pdf = await upload(service, 'pattern.pdf', 'digital');
  const clip = await upload(service, 'clip.mp4', 'video');
  await service.call('listing_schema', { category_id: 1062 });
  const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', buildMug(targets));
  const { job_id } = await service.call<{ job_id: string }>(
    'listing_create',
    buildMug(targets.slice(0, 1), { state: 'publish' }),
  );
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'fuzz');
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  const world = { targets, images, pdf, clip, listing_pks: [listing_pk, 2, 3], job_ids: [job_id] };
  const stdio = openStdioFace(service.app.service);
  return { service, face, stdio, key, world };
}

/** Each input has its own seed, so it can be repeated without those before it. */
async function runAll(
  count: number,
  part: number,
  running: Running,
  build: (random: Random) => { operation: Operation; input: Tree },
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const random = createRandom(SEED + part * 1_000_003 + index * 7_919);
      const { operation, input } = build(random);
      const face = pickFace(random);
      const answered = await withinTime(ask(face, running, operation, input, random));
      const problem = findProblem(operation, answered);
      if (problem !== undefined) {
        throw new Error(`seed ${SEED}, ${operation.id} over ${face}: ${problem}\n${describeInput(input)}`);
      }
      tallyUp(face, operation, answered);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

function pickFace(random: Random): Face {
  const names = Object.keys(SHARES) as (keyof typeof SHARES)[];
  return names.find((name) => random.chance(SHARES[name])) ?? 'gate';
}

async function ask(
  face: Face,
  running: Running,
  operation: Operation,
  input: Tree,
  random: Random,
): Promise<Told> {
  switch (face) {
    case 'rest':
      return askRest(running, operation, input, random);
    case 'mcp_http':
      return askMcpHttp({ port: running.face.port, key: running.key }, operation, input, random);
    case 'mcp_stdio':
      return running.stdio.ask(operation, input, random);
    case 'gate':
      return askGate(running, operation, input);
  }
}

async function withinTime<T>(asking: Promise<T>): Promise<T | 'no answer'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'no answer'>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), HANG_MS);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** As the command line does it: text is parsed, then goes through the gate. */
async function askGate({ service }: Running, operation: Operation, input: Tree): Promise<Told> {
  const value = readText(JSON.stringify(input));
  if (value === undefined) return REFUSED_TEXT;
  const outcome = await service.invoke(operation.id, value);
  return outcome.ok
    ? { is_ok: true, status: outcome.status, body: outcome.output }
    : { is_ok: false, status: outcome.error.error.status, body: outcome.error };
}

function readText(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

const REFUSED_TEXT: Told = {
  is_ok: false,
  status: 400,
  body: { error: { code: 'INVALID_JSON', status: 400, message: 'refused as text', hint: '', docs: '' } },
};

async function askRest(
  { face, key }: Running,
  { route }: Operation,
  input: Tree,
  random: Random,
): Promise<Told> {
  const fields = input !== null && typeof input === 'object' && !Array.isArray(input) ? { ...input } : {};
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = toParameter(fields[name] ?? '1');
    delete fields[name];
    return encodeURIComponent(value === '' || /^\.+$/.test(value) ? 'x' : value)
      .slice(0, 150)
      .replace(/%.?$/, '');
  });
  const url = new URL(`http://127.0.0.1:${face.port}/api/v1${path}`);
  const headers: Record<string, string> = { 'x-service-api-key': key };
  let body: string | FormData | undefined;
  if (route.body === 'json') {
    headers['content-type'] = 'application/json';
    body = spoil(JSON.stringify(input), random);
  } else if (route.body === 'multipart') {
    body = buildForm(fields);
  } else {
    for (const [name, value] of Object.entries(fields))
      url.searchParams.append(name, toParameter(value).slice(0, 500));
  }
  const response = await fetch(url, {
    method: route.method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  return { is_ok: response.ok, status: response.status, body: await response.json() };
}

function buildForm(fields: { [key: string]: Tree }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const text = toParameter(value);
    if (name === 'file') form.append(name, new Blob([text]), toParameter(fields['filename'] ?? 'a.gif'));
    else form.append(name, text.slice(0, 900));
  }
  return form;
}

function toParameter(value: Tree): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Surrogate}/gu, '');
}

function findProblem(operation: Operation, answered: Told | 'no answer'): string | undefined {
  if (answered === 'no answer') return answered;
  if (answered === 'refused' || answered === 'asked') return undefined;
  const { is_ok, status, body } = answered;
  if (is_ok) {
    const fits = operation.output.safeParse(body);
    return fits.success ? undefined : `the answer does not fit: ${fits.error.message}`;
  }
  const parsed = strictErrorBody.safeParse(body);
  if (!parsed.success) return `the error does not fit: ${JSON.stringify(body).slice(0, 500)}`;
  const { error } = parsed.data;
  if (error.status !== status || !STATUSES.has(status)) return `${status} ${error.code} ${error.message}`;
  // oxlint-disable-next-line no-control-regex -- what may not be there is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u202e]|\p{Surrogate}/u.test(error.message))
    return `unclean: ${JSON.stringify(error.message)}`;
  if (error.message.length > 2_500_000 || error.message.split('\n').some((line) => line.trim() === '')) {
    return `unreadable: ${error.message.slice(0, 500)}`;
  }
  return undefined;
}

function tallyUp(face: Face, operation: Operation, answered: Told | 'no answer'): void {
  for (const name of [face, `${operation.id} ${describeTold(answered)}`]) {
    tally.set(name, (tally.get(name) ?? 0) + 1);
  }
}

function describeTold(answered: Told | 'no answer'): string | number {
  if (typeof answered === 'string') return answered;
  return answered.is_ok ? answered.status : (answered.body as { error: { code: string } }).error.code;
}

function describeInput(input: Tree): string {
  const text = JSON.stringify(input);
  return text.length > 20_000 ? `${text.slice(0, 20_000)}… (${text.length} characters)` : text;
}
