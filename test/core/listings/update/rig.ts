import type { ListingJobResult } from '../../../answers.js';
import { StoppedError } from '../../../../src/core/listings/engine/failures.js';
import type { Ports, RunningJob } from '../../../../src/core/ports/index.js';
import { expect } from 'vitest';
import type { ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import type { ChangeAction, Plan } from '../../../../src/core/ports/listing/plan.js';
import { buildMug, listTargets, upload, type TestService } from '../../../service.js';
import { createFinder, type CrashPoint } from '../../../wrapped/crash_point.js';
import { watchPorts } from '../../../wrapped/ports.js';

/** A managed listing in shops, as tests of updates need it. */
export type Made = { listing_pk: number; shops: { shop_id: number; listing_id: number }[] };

let jobs = 0;

/** Ends every job that reaches a point, as in a power failure. */
type PowerCut = {
  /** Wraps those of the service. */
  wrapPorts(ports: Ports): Ports;
  /** From now on, at this point, or nowhere. */
  setPoint(point: CrashPoint | undefined): void;
  /**
   * The id of the job that reached the point, once it waits for a process to resume it. A job that was not
   * started yet waits, too.
   */
  waitForJob(service: TestService): Promise<string>;
};

export function createPowerCut(): PowerCut {
  let isDeadly: ReturnType<typeof createFinder> | undefined;
  let isReached = false;
  return {
    wrapPorts: (ports) =>
      watchPorts(ports, (side, call, args) => {
        if (!isDeadly?.(side, call, args)) return;
        isReached = true;
        throw new StoppedError(`ended ${side} ${call}`);
      }),
    setPoint(point) {
      isDeadly = point === undefined ? undefined : createFinder(point);
      isReached = false;
    },
    async waitForJob({ app }) {
      let job_id: string | undefined;
      const find = async () => {
        const [job] = isReached ? await app.store.listings.listClaimableJobs() : [];
        return (job_id = job?.job_id);
      };
      await expect.poll(find, { timeout: 60_000 }).toBeDefined();
      return job_id ?? '';
    },
  };
}

/** Makes an active listing in both shops of the sandbox; `more` extends its request. */
export async function makeListing(
  service: TestService,
  {
    photos = 2,
    more = {},
    state = 'active',
    listing = {},
  }: { photos?: number; more?: object; state?: string; listing?: object } = {},
): Promise<Made> {
  jobs += 1;
  const targets = await listTargets(service);
  const images: { url: string; alt_text: string }[] = [];
  for (let index = 1; index <= photos; index += 1) {
    const url = await upload(service, `photo-${String(index).padStart(2, '0')}.jpg`);
    images.push({ url, alt_text: `Photo ${index}` });
  }
  const request = buildMug(targets, { state, images, idempotency_key: `made-${jobs}`, ...more });
  Object.assign(request.listing, listing);
  const made = await service.call<ListingJobResult>('listing_create', request);
  const shops = (made.results ?? []).map(({ shop_id, listing_id, error }) => {
    if (listing_id === undefined) throw new Error(error);
    return { shop_id: Number(shop_id), listing_id };
  });
  return { listing_pk: made.listing_pk ?? 0, shops };
}

export async function makeJob(
  { app }: TestService,
  { listing_pk, shops }: Made,
  action: ChangeAction | ((shop_id: number) => ChangeAction),
  purpose: Plan<ChangeAction>['purpose'] = 'update',
): Promise<RunningJob> {
  jobs += 1;
  const { account_id } = await app.core.accounts.getDefault();
  const { job } = await app.store.listings.createJob({
    kind: 'update',
    account_id,
    listing_pk,
    job_id: `change-${jobs}-${Math.random().toString(36).slice(2)}`,
    plan: {
      purpose,
      warnings: [],
      request: null,
      shops: shops.map(({ shop_id, listing_id }) => ({
        shop_id,
        shop_name: `Shop ${shop_id}`,
        currency_code: 'USD',
        listing_id,
        action: typeof action === 'function' ? action(shop_id) : action,
        names: {},
        warnings: [],
      })),
    },
  });
  return job as RunningJob;
}

/** Runs the job to its end, as every process does with unfinished ones. */
export async function finish(service: TestService, job_id: string): Promise<ListingJobResult> {
  for (;;) {
    await service.app.core.listings.resume();
    const answer = await service.call<ListingJobResult>('listing_create_status', { job_id });
    if (answer.status !== 'processing') return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function change(
  service: TestService,
  made: Made,
  changes: ShopChanges,
  on_drift: 'refuse' | 'overwrite' = 'refuse',
): Promise<ListingJobResult> {
  const { job_id } = await makeJob(service, made, { kind: 'change', changes, on_drift });
  return finish(service, job_id);
}

export type SandboxListing = {
  listing_id: number;
  state: string;
  fields: { title: string } & Record<string, unknown>;
  images: { listing_image_id: number; rank: number; alt_text: string; sha256: string }[];
  videos: { video_id: number }[];
  files: { listing_file_id: number; name: string }[];
  properties: { property_id: number }[];
  personalization: { question_id: number }[];
  variation_images: { value: string; image_id: number }[];
  translations: { language: string; title: string; tags: string[] }[];
  inventory: {
    products: { sku: string; offering: { price_amount: number; quantity: number } }[];
    quantity_on_property: number[];
  };
};

type SandboxState = {
  listings: SandboxListing[];
  fees: { listing_id: number }[];
  calls: Record<string, number>;
};

/** The complete sandbox state of these listings. */
export async function readListings(service: TestService, made: Made) {
  const { listings } = await service.control<SandboxState>('GET', '/state');
  return made.shops.map(({ listing_id }) => listings.find((listing) => listing.listing_id === listing_id));
}

export async function countCalls(service: TestService, work: () => Promise<unknown>) {
  const before = (await service.control<SandboxState>('GET', '/state')).calls;
  await work();
  const after = Object.entries((await service.control<SandboxState>('GET', '/state')).calls);
  return Object.fromEntries(
    after.map(([name, calls]) => [name, calls - (before[name] ?? 0)]).filter(([, calls]) => calls !== 0),
  ) as Record<string, number>;
}

/** Edits them on the marketplace, like a seller. */
export async function edit(service: TestService, { shops }: Made, body: object): Promise<void> {
  for (const { listing_id } of shops) await service.control('POST', `/listings/${listing_id}/edit`, body);
}

/** The state without its ids and times, to compare two runs. */
export function describeListing(listing: SandboxListing | undefined) {
  if (!listing) return undefined;
  const { state, fields, images, videos, files, properties, personalization, inventory, translations } =
    listing;
  const shown = new Map(images.map(({ listing_image_id, sha256 }) => [listing_image_id, sha256]));
  return {
    state,
    fields,
    images: images.toSorted((a, b) => a.rank - b.rank).map(({ sha256, alt_text }) => ({ sha256, alt_text })),
    videos: videos.length,
    files: files.map(({ name }) => name),
    properties: properties.map(({ property_id }) => String(property_id)).sort(),
    personalization: personalization.map(({ question_id: _, ...question }) => question),
    products: inventory.products.map(({ sku, offering: { price_amount, quantity } }) => ({
      sku,
      price_amount,
      quantity,
    })),
    variation_images: listing.variation_images
      .map(({ value, image_id }) => `${value} ${shown.get(image_id)}`)
      .sort(),
    translations: translations.map(({ language, title }) => `${language} ${title}`).sort(),
  };
}
