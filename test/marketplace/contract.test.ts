import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS, type Operation } from '../../src/marketplace/endpoints/operations.js';
import { listPublished, readTable } from '../published/table.js';
import { buildFile } from './files.js';
import { findOperation, readPublishedOperations, type PublishedOperation } from './published_document.js';
import { buildRig, SHOP, type Rig } from './rig.js';
import {
  buildQuestion,
  buildWireInventory,
  buildWireListing,
  buildWireReceipt,
  DRAFT,
  INVENTORY,
} from './samples.js';
import { startScriptedServer, type ScriptedServer, type SeenRequest } from './scripted_server.js';

/**
 * Parts of requests that the document does not have, and why. There are none; the token endpoint, which the
 * document lacks entirely, is covered by the OAuth tests.
 */
const KNOWN_DIFFERENCES: readonly { operation: string; problem: string; why: string }[] = [];

const BODY_TYPES = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const;

describe("requests compared with the marketplace's published document", () => {
  let server: ScriptedServer;
  let rig: Rig;

  beforeAll(async () => {
    server = await startScriptedServer(answer);
    rig = buildRig(server.url);
    await makeEveryCall(rig);
  });
  afterAll(async () => {
    await rig.client.close();
    await server.close();
  });

  const listRequests = () => server.seen.filter(({ path }) => path.startsWith('/v3/application/'));

  const sources = listPublished().map(({ source, document }): [string, PublishedOperation[]] => [
    source,
    readPublishedOperations(document),
  ]);

  it.each(sources)('use operations as the %s describes them', (_source, published) => {
    const table: Operation[] = Object.values(OPERATIONS);
    const ours = table.map(({ name, method, path, scope, body }) => ({
      name,
      method,
      path: `/v3/application${path}`,
      scope,
      body_type: body && BODY_TYPES[body],
    }));
    const theirs = ours.map(({ name }) => {
      const found = published.find((operation) => operation.name === name);
      return found && { ...found, findProblems: undefined, buildAnswer: undefined };
    });
    expect(theirs).toEqual(ours);
  });

  it.each(sources)('match their operation in the %s', async (_source, published) => {
    const problems: { operation: string; problem: string }[] = [];
    for (const request of listRequests()) {
      const operation = findOperation(published, request);
      const found = operation
        ? await operation.findProblems(request)
        : [`no operation is ${request.method} ${request.path}`];
      problems.push(...found.map((problem) => ({ operation: operation?.name ?? '', problem })));
    }
    expect(problems).toEqual(KNOWN_DIFFERENCES.map(({ operation, problem }) => ({ operation, problem })));
  });

  it('cover every operation, with a token exactly if it takes one', () => {
    const published = readPublishedOperations(readTable());
    const called = new Map<string, boolean>();
    for (const request of listRequests()) {
      const name = findOperation(published, request)?.name ?? '';
      called.set(name, request.headers.authorization !== undefined);
      expect(request.headers['x-api-key']).toBe('key:shh');
    }
    const table: Operation[] = Object.values(OPERATIONS);
    const expected = table.map(({ name, scope, is_owner_view }): [string, boolean] => [
      name,
      scope !== null || is_owner_view === true,
    ]);
    expect(called).toEqual(new Map(expected));
    process.stdout.write(
      `contract: ${called.size} operations and ${listRequests().length} requests held against ${published.length} published operations\n`,
    );
  });
});

/** Answers that the document allows but that would be useless, and why they never come. */
const KNOWN_UNREADABLE: readonly { problem: string; why: string }[] = [
  {
    problem: 'listScopes: MarketplaceError: HTTP 200 with an answer without a usable scopes',
    why: 'The document describes the answer without any field; what comes is {"scopes": [...]}.',
  },
];

/** More than the longest list of choices, with and without the optional parts. */
const TURNS = 40;

describe('answers that the published document allows', () => {
  it('can all be read', async () => {
    const published = readPublishedOperations(readTable());
    let turn = 0;
    let answers = 0;
    const server = await startScriptedServer((request) => {
      if (request.path.endsWith('/token')) return { status: 200, json: ANSWERS['token'] };
      answers += 1;
      return findOperation(published, request)?.buildAnswer(turn) ?? { status: 500 };
    });
    const { client } = buildRig(server.url);
    const unreadable = new Set<string>();
    const noting = { client: noteFailures(client, unreadable) };
    for (; turn < TURNS; turn += 1) await makeEveryCall(noting);
    expect([...unreadable]).toEqual(KNOWN_UNREADABLE.map(({ problem }) => problem));
    expect(answers).toBeGreaterThan(TURNS * Object.keys(OPERATIONS).length);
    process.stdout.write(
      `contract: ${answers} answers as ${Object.keys(OPERATIONS).length} published operations may give them were read\n`,
    );
    await client.close();
    await server.close();
  });
});

type Client = Rig['client'];

/** The same client, except that failed calls are noted and the run continues. */
function noteFailures(client: Client, failures: Set<string>): Client {
  return new Proxy(client, {
    get:
      (target, name: keyof Client) =>
      async (...args: unknown[]) => {
        const call = target[name] as (...args: unknown[]) => unknown;
        try {
          return await call(...args);
        } catch (error) {
          failures.add(`${name}: ${String(error)}`);
        }
      },
  });
}

/** Each call of the port, with every field it can carry. */
async function makeEveryCall({ client }: Pick<Rig, 'client'>): Promise<void> {
  await client.ping();
  await client.listScopes('77.token');
  await client.getShop(SHOP);
  await client.listShippingProfiles(SHOP);
  await client.listShopSections(SHOP);
  await client.listReturnPolicies(SHOP);
  await client.listProcessingProfiles(SHOP);
  await client.listProductionPartners(SHOP);
  await client.listCategories();
  await client.getCategoryProperties(1062);
  await client.searchActiveListings({ keywords: 'mug, blue', limit: 100, offset: 12_000 });

  await client.createDraftListing(SHOP, DRAFT);
  await client.createDraftListing(SHOP, FULL_DRAFT);
  await client.createDraftListing(SHOP, { ...DRAFT, listing_type: 'digital', readiness_state_id: undefined });
  await client.getListing(SHOP, 7);
  await client.getListingDetails(SHOP, 7);
  await client.listShopListings(SHOP, { state: 'sold_out', limit: 100, offset: 100 });
  await client.listListingsById(SHOP, [7, 8]);
  await client.listListings(SHOP, 'draft');
  const {
    price,
    quantity,
    styles,
    readiness_state_id,
    is_customizable,
    listing_type,
    processing_min: _min,
    processing_max: _max,
    ...changes
  } = FULL_DRAFT;
  expect([price, quantity, styles, readiness_state_id, is_customizable]).not.toContain(undefined);
  await client.updateListing(SHOP, 7, listing_type, changes);
  await client.updateListing(SHOP, 7, 'digital', { tags: [] });
  await client.updateListing(SHOP, 7, 'physical', { ...CLEARED, image_ids: [5, 6] });
  await client.updateListing(SHOP, 7, 'physical', { featured_rank: 1 });
  await client.activateListing(SHOP, 7, 'physical');
  await client.takeOffSale(SHOP, 7, 'physical');
  const words = { language: 'de', title: 'Tasse', description: 'Aus Ton' };
  await client.writeTranslation(SHOP, 7, { ...words, tags: ['tasse'] }, { exists: false });
  await client.writeTranslation(SHOP, 7, { ...words, tags: [] }, { exists: true });

  const file = buildFile(Buffer.from('bytes'), {
    filename: 'a.bin',
    content_type: 'application/octet-stream',
  });
  await client.uploadImage(SHOP, 7, file, { rank: 1 });
  await client.uploadImage(SHOP, 7, file, { rank: 1, alt_text: 'A mug' });
  await client.updateImage(SHOP, 7, { listing_image_id: 5, rank: 1, alt_text: '' });
  await client.deleteImage(SHOP, 7, 5);
  await client.listImages(SHOP, 7);
  await client.uploadVideo(SHOP, 7, file);
  await client.attachVideo(SHOP, 7, 6);
  await client.deleteVideo(SHOP, 7, 6);
  await client.listVideos(SHOP, 7);
  await client.uploadFile(SHOP, 7, file, 1);
  await client.attachFile(SHOP, 7, 7, 2);
  await client.deleteFile(SHOP, 7, 7);
  await client.listFiles(SHOP, 7);

  await client.updateInventory(SHOP, 7, INVENTORY);
  await client.updateInventory(SHOP, 7, PLAIN_INVENTORY);
  await client.updateInventory(SHOP, 7, THIRD_VARIATION);
  await client.getInventory(SHOP, 7);
  await client.getInventoryWithListing(SHOP, 7);
  await client.listInventoriesById(SHOP, [7]);
  const attribute = { property_id: 200, value_ids: [1, 2], values: ['Red', 'Blue'] };
  await client.updateAttribute(SHOP, 7, attribute);
  await client.updateAttribute(SHOP, 7, { ...attribute, scale_id: 19 });
  await client.deleteAttribute(SHOP, 7, 200);
  await client.listAttributes(SHOP, 7);
  await client.updateVariationImages(SHOP, 7, [{ property_id: 513, value_id: 9001, image_id: 5 }]);
  await client.listVariationImages(SHOP, 7);
  await client.updateQuestions(SHOP, 7, QUESTIONS);
  await client.deletePersonalization(SHOP, 7);

  await client.listReceipts(SHOP, {
    changed_from_s: 1_790_000_000,
    changed_to_s: 1_790_000_001,
    offset: 100,
  });
  await client.listReceipts(SHOP, {
    created_from_s: 1_790_000_000,
    created_to_s: 1_790_000_000,
    was_delivered: true,
    offset: 0,
  });
  await client.getReceipt(SHOP, 3);

  await client.exchangeCode({ code: 'c', code_verifier: 'v', redirect_uri: 'http://localhost/' });
}

const FULL_DRAFT = {
  ...DRAFT,
  listing_type: 'physical',
  return_policy_id: 1,
  shop_section_id: 2,
  readiness_state_id: 3,
  materials: ['stoneware'],
  styles: ['Rustic'],
  is_customizable: false,
  is_taxable: false,
  item_length: 10,
  item_width: 10.5,
  item_height: 9,
  item_dimensions_unit: 'cm',
  processing_min: 1,
  processing_max: 3,
} as const satisfies typeof DRAFT;

const CLEARED = {
  shop_section_id: null,
  return_policy_id: null,
  featured_rank: null,
  item_weight: null,
  item_weight_unit: null,
  item_length: null,
  item_width: null,
  item_height: null,
  item_dimensions_unit: null,
};

/** One of each type. */
const QUESTIONS = [
  buildQuestion({ instructions: 'Name', add_on_price: 2.5 }),
  buildQuestion({
    question_id: 5,
    question_type: 'dropdown',
    max_allowed_characters: null,
    options: [
      { option_id: 6, label: 'Red' },
      { option_id: null, label: 'Blue' },
    ],
  }),
  buildQuestion({ question_type: 'unlabeled_upload', max_allowed_characters: null, max_allowed_files: 2 }),
];

const THIRD_VARIATION = {
  ...INVENTORY,
  products: INVENTORY.products.map((product) => ({
    ...product,
    property_values: [513, 514, 200].flatMap((property_id) =>
      product.property_values.map((value) => ({ ...value, property_id })),
    ),
  })),
};

/** A digital product: no variation, no processing profile. */
const PLAIN_INVENTORY = {
  products: [
    { sku: '', property_values: [], price: 5, quantity: 999, is_enabled: true, readiness_state_id: null },
  ],
  price_on_property: [],
  quantity_on_property: [],
  sku_on_property: [],
  readiness_state_on_property: [],
};

function answer({ method, path }: SeenRequest) {
  const json = ANSWERS[path.split('/').at(-1) ?? ''] ?? {
    ...buildWireListing(),
    ...SHOP_ANSWER,
    ...EMPTY_LIST,
  };
  return { status: method === 'POST' ? 201 : 200, json };
}

/** Every list, and the images that come with a listing. */
const EMPTY_LIST = { count: 0, results: [], images: [] };
const SHOP_ANSWER = { shop_id: 501, user_id: 77, shop_name: 'S', currency_code: 'USD' };

/** By the last step of the path; an operation that reads a list gets an empty one. */
const ANSWERS: Record<string, unknown> = {
  '3': buildWireReceipt(),
  inventory: { ...EMPTY_LIST, ...buildWireInventory(), listing: buildWireListing() },
  images: { ...EMPTY_LIST, listing_image_id: 5, url_fullxfull: 'u', rank: 1 },
  videos: { ...EMPTY_LIST, video_id: 6, video_url: 'u' },
  files: { ...EMPTY_LIST, listing_file_id: 7, filename: 'f', rank: 1, size_bytes: 5 },
  'openapi-ping': { application_id: 1 },
  scopes: { scopes: ['shops_r'] },
  token: { access_token: '77.a', refresh_token: '77.r', expires_in: 3600 },
};
