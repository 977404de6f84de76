import type { ListingJobResult } from '../answers.js';
import { isDeepStrictEqual } from 'node:util';
import type { SandboxState, World } from '../crash/world.js';
import { ask } from './counted_calls.js';
import type { Records, Told } from './caller.js';

const PAGE = 100;

/**
 * Compares the answers with the store, with an instance at `url`, and with the marketplace. Returns a
 * sentence for each write that does not exist exactly once, or differs from its answer.
 */
export async function findLost(
  { listings, uploads, webhooks }: Records,
  { url, world, database_url }: { url: string; world: World; database_url: string },
): Promise<string[]> {
  const lost: string[] = [];
  const get = async <Answer>(key: string, path: string): Promise<Answer> => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { 'x-service-api-key': key } });
    return (await answer.json()) as Answer;
  };

  for (const told of listings) {
    const { account, last, title } = told;
    if (last.job_id === undefined) continue;
    const kept = await get<ListingJobResult>(account.key, `/listings/create/${last.job_id}`);
    if (!isDeepStrictEqual(pick(kept), pick(last))) {
      lost.push(`${title}: answered ${JSON.stringify(pick(last))}, kept is ${JSON.stringify(pick(kept))}`);
    }
  }
  const keys = new Set(listings.map(({ account }) => account.key));
  for (const key of keys) {
    const kept: string[] = [];
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const page = await get<{ total: number; listings: { title: string }[] }>(
        key,
        `/listings?limit=${PAGE}&offset=${offset}`,
      );
      total = page.total;
      kept.push(...page.listings.map(({ title }) => title));
    }
    const answered = listings.filter(({ account }) => account.key === key).map(({ title }) => title);
    for (const title of new Set([...kept, ...answered])) {
      const times = kept.filter((other) => other === title).length;
      const told = answered.filter((other) => other === title).length;
      if (times !== 1 || told !== 1) lost.push(`${title}: answered ${told} times, and there ${times} times`);
    }
  }
  for (const { account, url: webhook } of webhooks.values()) {
    const kept = await get<{ url: string }>(account.key, '/webhooks/endpoint');
    if (kept.url !== webhook) lost.push(`the webhook is ${kept.url}, and ${webhook} was answered last`);
  }
  const { rows } = await ask(database_url, 'SELECT upload_id, account_id, sha256 FROM uploads');
  for (const { account, url: upload, sha256 } of uploads) {
    const found = rows.filter(
      (row) => row['account_id'] === account.account_id && upload.includes(String(row['upload_id'])),
    );
    if (found.length !== 1 || found[0]?.['sha256'] !== sha256) lost.push(`${upload} is not there once`);
  }
  lost.push(...findWrong(await world.control<SandboxState>('GET', '/state'), listings));
  return lost;
}

/** Each listing that was sent exists once, and each fee was paid once. */
function findWrong({ listings, fees }: SandboxState, told: readonly Told[]): string[] {
  return told.flatMap(({ title, state }) => {
    const found = listings.filter(({ fields }) => fields.title === title);
    const paid = fees.filter(({ listing_id }) => found.some((one) => one.listing_id === listing_id));
    const wanted = { listings: state === 'draft' ? 0 : 1, fees: state === 'active' ? 1 : 0 };
    const there = { listings: found.length, fees: paid.length };
    return isDeepStrictEqual(there, wanted)
      ? []
      : [`${title}: on the marketplace ${JSON.stringify(there)}, and it should be ${JSON.stringify(wanted)}`];
  });
}

/** The parts that both answers about a job contain. */
function pick({ job_id, listing_pk, status, results }: ListingJobResult) {
  return { job_id, listing_pk, status, results };
}
