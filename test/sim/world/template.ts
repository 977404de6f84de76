import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_SHOPS } from '../../../src/sandbox/world/shops.js';
import { callOperation, uploadFile, type Uploaded } from '../people/client.js';
import { createChance } from '../kernel/chance.js';
import { createJournal } from '../kernel/journal.js';
import { createSchedule } from '../kernel/schedule.js';
import { seal } from '../kernel/seal.js';
import type { Plan } from '../plan.js';
import { createDisk, drawFile, drawPhoto, drawVideo } from './disk.js';
import { createMachine, forgetMachines, makeDataFolder } from './machine.js';
import { MARKETPLACE_ORIGIN, openMarketplace, WEBHOOK_SECRET } from './marketplace.js';
import type { Kept } from './disk.js';

/** The time at which every world begins. */
export const START_MS = Date.UTC(2026, 11, 1, 8);
const PHOTOS = 4;
const VIDEOS = 2;
const FILES = 3;
export const SCOPES = ['listings_r', 'listings_w', 'listings_d', 'shops_r', 'transactions_r'];

export type Target = { shop_id: number; shipping_profile_id: number; return_policy_id: number };

/** The start of each world: a marketplace, and a service with its two shops connected and photos uploaded. */
export type Template = {
  folder: string;
  targets: Target[];
  photos: Uploaded[];
  videos: Uploaded[];
  files: Uploaded[];
  blobs: ReadonlyMap<string, Kept>;
};

export function buildEnvironment({
  most_activations,
  calls_a_day,
}: Pick<Plan, 'most_activations' | 'calls_a_day'>): Record<string, string> {
  return {
    LOG_LEVEL: 'silent',
    MARKETPLACE: 'etsy',
    ETSY_API_URL: MARKETPLACE_ORIGIN,
    ETSY_KEYSTRING: 'sandbox0keystring0notreal',
    ETSY_SHARED_SECRET: 'sandbox0secret',
    ETSY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MASTER_KEY: '00'.repeat(32),
    MAX_ACTIVATIONS_PER_DAY: String(most_activations),
    RATE_LIMIT_PER_DAY: String(calls_a_day),
  };
}

/** Created once per process; every process creates the same. */
export async function buildTemplate(folder: string): Promise<Template> {
  mkdirSync(folder, { recursive: true });
  makeDataFolder(folder);
  const chance = createChance(0, 'template');
  const schedule = createSchedule(START_MS, chance);
  seal({ schedule, chance });
  const template = await schedule.runUntil(fill());
  forgetMachines();
  return template;

  async function fill(): Promise<Template> {
    const journal = createJournal(schedule, START_MS, false);
    const marketplace = openMarketplace(join(folder, 'marketplace.db'), {
      schedule,
      chance,
      post: () => Promise.reject(new Error('no one listens yet')),
    });
    const disk = createDisk({ folder, schedule, chance, door: marketplace });
    const machine = createMachine({
      number: 0,
      planned: { skew_ms: 0, step: null },
      folder,
      environment: buildEnvironment({ most_activations: 20, calls_a_day: 5000 }),
      start_ms: START_MS,
      schedule,
      chance,
      journal,
      disk,
      openNetwork: () => ({
        async exchange(request, progress) {
          progress.has_started = true;
          const body = request.body?.open();
          const headers = {
            ...request.headers,
            ...(request.body && { 'content-type': request.body.content_type }),
          };
          const answer = await marketplace.receive({
            ...request,
            headers,
            body: Buffer.isBuffer(body) ? body : undefined,
          });
          return answer;
        },
        close: () => Promise.resolve(),
      }),
      openPost: () => () => Promise.reject(new Error('there are no receivers yet')),
    });
    const { app, account_id } = await machine.start();
    for (const { shop_id, user_id } of SANDBOX_SHOPS) {
      const { access_token, refresh_token, expires_in } = marketplace.issueGrant(user_id, SCOPES);
      const access_expires_at = new Date(START_MS + expires_in * 1000).toISOString();
      await app.store.tokens.saveTokens(
        { account_id, shop_id },
        { access_token, refresh_token, access_expires_at, scopes: SCOPES },
      );
      await app.core.shops.connect({ account_id, shop_id });
    }
    const shops = await app.core.shops.listConnected(account_id);
    const targets = shops.map(({ shop_id, lists }) => ({
      shop_id,
      shipping_profile_id: lists.shipping_profiles[0]?.shipping_profile_id ?? 0,
      return_policy_id: lists.return_policies[0]?.return_policy_id ?? 0,
    }));
    const upload = async (
      type: 'image' | 'video' | 'digital',
      files: { name: string; bytes: Buffer }[],
    ): Promise<Uploaded[]> => {
      const uploaded: Uploaded[] = [];
      for (const file of files) {
        uploaded.push(await uploadFile({ app, account_id }, type, file));
        await schedule.pause(1000);
      }
      return uploaded;
    };
    const photos = await upload('image', drawMany(PHOTOS, 'photo-#.png', drawPhoto));
    const videos = await upload('video', drawMany(VIDEOS, 'film-#.mp4', drawVideo));
    const files = await upload('digital', drawMany(FILES, 'pattern-#.pdf', drawFile));
    await callOperation({ app, account_id }, 'listing_schema', { category_id: 1062 }, { face: 'rest' });
    await machine.stop();
    await marketplace.close();
    return { folder, targets, photos, videos, files, blobs: disk.blobs };
  }
}

function drawMany(count: number, name: string, draw: (number: number) => Buffer) {
  return Array.from({ length: count }, (_, index) => ({
    name: name.replace('#', String(index + 1)),
    bytes: draw(index + 1),
  }));
}

export function copyTemplate(template: Template, folder: string): void {
  makeDataFolder(folder);
  cpSync(join(template.folder, 'data'), join(folder, 'data'), { recursive: true });
  copyFileSync(join(template.folder, 'marketplace.db'), join(folder, 'marketplace.db'));
}
