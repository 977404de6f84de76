import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from '../../src/dashboard/pages/index.js';
import { createRoutes, PREFIX } from '../../src/dashboard/routes.js';
import { createTasks } from '../../src/dashboard/tasks.js';
import { createSessionCookie } from '../../src/pages/index.js';
import { startReceiver, type Receiver } from '../webhooks/receivers.js';
import { readForm } from './form.js';
import { read, readHtml } from './harmless.js';
import { fillAccount, spoil, spoilShort } from './hostile_account.js';
import { startDashboard, type PageAnswer, type TestDashboard, type Visitor } from './visitor.js';

/* One account whose every text is hostile. Every page of the dashboard is opened, and every form is sent. */

let dashboard: TestDashboard;
let seller: Visitor;
let receiver: Receiver;
let ids: Record<string, string | number>;
/** `GET /listings/{listing_pk}` */
const visited = new Set<string>();

beforeAll(async () => {
  receiver = await startReceiver((response) => void response.writeHead(500).end(spoil('answer')));
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  seller = await dashboard.signIn();
  ids = await fillAccount(dashboard, receiver.url);
}, 120_000);
afterAll(async () => {
  await dashboard.close();
  await receiver.close();
});

function listPages() {
  const { core, service, store } = dashboard.service.app;
  const parts = { ...service, core, page_tasks: store.page_tasks };
  return createPages({ ...parts, cookie: createSessionCookie(dashboard.url), tasks: createTasks(parts) });
}

/** Each page, and the hostile texts that it must show as they are. */
const SHOWN: [path: string, names: string][] = [
  ['', 'title shop new-title etsy-title'],
  ['/listings', 'title shop new-title etsy-title'],
  ['/listings?q={words}&shop={words}&is={words}&sort={words}&offset={words}', 'words shop'],
  ['/listings/{draft}', 'title shop alt description option value sku question'],
  ['/listings/{live}', 'title shop alt description option value sku question'],
  ['/listings/{off_sale}', 'new-title description appended'],
  ['/listings/{edited}', 'title etsy-title description etsy-description tag'],
  ['/listings/{imported}', 'etsy-title etsy-alt etsy-option etsy-value etsy-instructions material tag'],
  ['/listings/{failed}', 'title shop'],
  ['/listings/{live}/events', ''],
  ['/listings/{live}/photos/0/320', ''],
  ['/listings/new', 'shop profile section partner'],
  ['/listings/{live}/edit', 'title alt description shop profile section partner option value sku question'],
  ['/listings/{imported}/edit', 'etsy-title etsy-alt tag material etsy-option etsy-value etsy-instructions'],
  ['/listings/{draft}/put-live', 'title shop'],
  ['/listings/{draft}/delete', 'title'],
  ['/listings/{draft}/add-photos', 'title alt'],
  ['/listings/{failed}/give-up', 'title shop'],
  ['/listings/{live}/off-sale', 'title shop'],
  ['/listings/{off_sale}/back-on-sale', 'new-title shop'],
  ['/changes', 'title new-title appended unknown shop'],
  ['/changes/events', ''],
  ['/changes/{planned}', 'appended title shop description'],
  ['/changes/{drifted}', 'title etsy-title shop'],
  ['/changes/{refused}', 'unknown title shop'],
  ['/changes/{done}', 'appended title shop description'],
  ['/changes/{done}/events', ''],
  ...'price stock tags section title profile photos sale renew'
    .split(' ')
    .map((kind): [string, string] => [`/changes/new?do=${kind}&listing={live}&q={words}`, 'words shop']),
  // Copies are offered only to shops that do not have the listing.
  ['/changes/new?do=copy&listing={imported}&q={words}', 'words shop'],
  ['/changes/new?do=section&listing={live}', 'section'],
  ['/changes/new?do=profile&listing={live}', 'profile'],
  ['/changes/new?do={words}&listing={live}', ''],
  ['/changes/sheet', ''],
  ['/changes/sheet/download?format=csv&listing={live}', ''],
  ['/changes/jobs/{change}', 'new-title title shop'],
  ['/changes/jobs/{change}/events', ''],
  ['/changes/jobs/{change}/undo', 'new-title title shop'],
  ['/changes/jobs/{import}', 'etsy-title shop'],
  ['/changes/jobs/{import}/undo', ''],
  ['/orders?shop={words}&is={words}', 'title shop option value sku'],
  ['/shops', 'shop'],
  ['/shops/connect', ''],
  ['/shops/{clay}', 'shop profile section partner place'],
  ['/shops/{clay}/sync', 'shop'],
  ['/shops/{clay}/bring-in', 'shop etsy-title title'],
  ['/shops/{clay}/bring-in?state={words}', 'shop'],
  ['/shops/{clay}/disconnect', 'shop'],
  ['/bring-in', 'shop'],
  ['/settings', ''],
  ['/uploads?new={words}', 'unused'],
  ['/uploads?new={unused}', 'unused'],
  ['/uploads/{photo}/preview', ''],
  ['/webhooks?status={words}', ''],
  ['/webhooks/destination', ''],
  ['/webhooks/switch-on', ''],
  ['/webhooks/test', ''],
  ['/webhooks/secret', ''],
  ['/webhooks/secret/first', ''],
  ['/webhooks/secret/next', ''],
  ['/webhooks/remove', ''],
  ['/webhooks/deliveries/{delivery}?content=shown', ''],
  ['/webhooks/deliveries/{delivery}/send-again', ''],
  ['/access', 'assistant key'],
  ['/access/keys', ''],
  ['/access/keys/{key}/revoke', 'key'],
  ['/access/grants/{grant}/end', 'assistant'],
  ['/sign-in?to={words}&link={words}', ''],
  ['/{words}', ''],
  ['/listings/{words}', ''],
  ['/changes/{words}', ''],
];

type Fields = Record<string, string>;
const words = (...names: string[]) => Object.fromEntries(names.map((name) => [name, spoil('sent')]));

/** Each form with hostile values, and the text that its response must show; none deletes data that a later form needs. */
const SENT: [path: string, names: string, fields?: Fields][] = [
  ['/sign-in', '', words('to', 'key')],
  ['/listings', '', words('name', 'q', 'was')],
  ['/changes/new', 'sent', { do: 'title', op: 'append', listing: '{live}', in: '{clay}', ...words('value') }],
  [
    '/changes/new',
    'sent',
    { do: 'price', op: 'percent', listing: '{live}', in: '{clay}', ...words('percent') },
  ],
  ['/changes/new', '', words('do', 'op', 'listing', 'all', 'q', 'in')],
  ['/changes/sheet', '', words('file')],
  ['/changes/{planned}/start', 'title', words('sum', 'shops', 'row', 'keep')],
  ['/changes/{planned}/again', '', words('item_status', 'on_drift', 'rows', 'replace', 'pay')],
  ['/changes/{planned}/cancel', 'title', words('plan')],
  ['/changes/jobs/{change}/cancel', ''],
  ['/listings/{draft}/remake', ''],
  ['/changes/{done}/undo', 'title appended', words('pay')],
  ['/changes/jobs/{change}/undo', 'new-title title', words('on_drift')],
  ['/listings?q=mug', 'sent', words('name')],
  ['/listings/{draft}/edit', '', words('title', 'step')],
  ['/listings/{draft}/add-photos', '', words('as_of')],
  ['/listings/{draft}/put-live', 'title', words('sum', 'shops', 'as_of')],
  ['/listings/{retitled}/replace-edit', 'title etsy-title', { shop_id: '{linen}' }],
  ['/listings/{retitled}/replace-edit', 'title', words('shop_id')],
  ['/listings/{live}/off-sale', 'title', words('shop', 'stock')],
  ['/listings/{off_sale}/back-on-sale', 'title', words('shop', 'stock')],
  ['/listings/{failed}/give-up', 'title'],
  ['/listings/{draft}/publish', 'title', words('as_of')],
  ['/shops/connect', 'sent', words('keystring', 'shared_secret', 'shop_id')],
  ['/shops/{clay}/sync', 'shop'],
  ['/shops/{clay}/bring-in', 'shop', words('listing', 'state', 'offset')],
  ['/bring-in', 'shop', words('shop', 'state')],
  ['/uploads', '', words('type', 'file')],
  ['/uploads/{photo}/delete', ''],
  ['/uploads/{unused}/delete', ''],
  ['/webhooks/destination', 'sent', words('url', 'events')],
  ['/webhooks/test', ''],
  ['/webhooks/deliveries/{delivery}/send-again', ''],
  ['/webhooks/switch-on', ''],
  ['/webhooks/secret', ''],
  ['/webhooks/remove', ''],
  ['/access/keys', '', { name: spoil('sent').repeat(2) }],
  ['/access/keys', '', words('name')],
  ['/access/keys/{key}/revoke', 'key'],
  ['/access/grants/{grant}/end', ''],
  ['/listings/{draft}/delete', 'title'],
  ['/shops/{linen}/disconnect', 'shop'],
];

const fill = (text: string) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => `${ids[name] ?? whole}`);

function note(method: string, path: string): void {
  const page = createRoutes(listPages())(path.replace(/\?.*/, ''))?.page;
  if (page) visited.add(`${method} ${page.path}`);
}

async function get(path: string): Promise<PageAnswer> {
  note('GET', path);
  return seller.get(path);
}

/** Sends a form and opens the page to which it leads. */
async function send(path: string, fields: Fields = {}): Promise<PageAnswer> {
  note('POST', path);
  const filled = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value)]));
  return follow(await seller.post(path, filled));
}

async function follow(answer: PageAnswer): Promise<PageAnswer> {
  return answer.location === '' ? answer : follow(await get(answer.location));
}

/** As a cell of a sheet has it. */
const quote = (name: string) => spoil(name).replaceAll('"', '""');

async function upload(sheet: string, name = 'sheet.csv'): Promise<PageAnswer> {
  const form = new FormData();
  form.set('csrf_token', seller.getToken());
  form.set('file', new Blob([sheet]), name);
  note('POST', `${PREFIX}/changes/sheet`);
  return follow(await seller.postForm(`${PREFIX}/changes/sheet`, form));
}

function expectShown(text: string, names: string): void {
  // Long texts are cut, descriptions lose their elements, and some refusals quote as JSON does.
  const missing = names
    .split(' ')
    .filter((name) => name !== '' && !new RegExp(`${name}\\\\?"'><x-b`).test(text));
  expect(missing).toEqual([]);
  expect(text).not.toContain('buyer-');
}

it.each([spoil('text'), '<p onclick="a">', '<a href="javascript:a">', '<p>\u202e</p>'])(
  'finds the unsafe markup %j',
  (html) => {
    expect(() => readHtml(html)).toThrow(/expected/);
  },
);

describe('every page shows hostile texts as texts, under the content policy', () => {
  it.each(SHOWN)('%s shows: %s', async (path, names) => {
    const answer = await get(fill(PREFIX + path));
    expectShown(read(answer.location === '' ? answer : await follow(answer)), names);
  });

  it.each(['review', 'save', 'publish', ''])(
    'escapes the fields of the editor posted to /listings/new/%s',
    async (door) => {
      // Every field of a listing that has hostile texts everywhere.
      const path = `${PREFIX}/listings/new${door && `/${door}`}`;
      note('POST', path);
      const form = readForm(seller, await get(`${PREFIX}/listings/${ids['imported']}/edit`));
      form.set('key', `form-${door}`).set('category_words', spoil('category'));
      const answer = await follow(await form.send(path));
      expectShown(read(answer), 'etsy-title etsy-alt tag material etsy-option etsy-value etsy-instructions');
    },
  );

  it('escapes hostile cells of a sheet in its review and in its errors', async () => {
    const download = await get(fill(`${PREFIX}/changes/sheet/download?format=csv&listing={live}`));
    const edited = await upload(download.text.replaceAll(quote('title'), quote('cell')));
    expectShown(read(edited), 'cell title shop');
    const [header = '', row = ''] = download.text.split('\r\n');
    const cells = header.split(',').map((name) => `"${quote(name)}"`);
    for (const [sheet, names] of [
      [`${header}\r\n${cells.join()}`, ''],
      [`${cells.join()}\r\n${row}`, ''],
      [download.text.replace(header, `${header},"${quote('column')}"`), 'column title'],
      [download.text.replaceAll(',USD,', `,"${quote('currency')}",`), 'currency title'],
      [download.text.replaceAll(',19,', `,"${quote('price')}",`), 'price title'],
      [download.text.replaceAll(',active,', `,"${quote('state')}",`), 'state title'],
      [spoil('sheet'), ''],
    ] as const) {
      expectShown(read(await upload(sheet, spoilShort('sheet-file'))), names);
    }
  });

  it.each(SENT)('%s posts hostile fields and shows: %s', async (path, names, fields) => {
    expectShown(read(await send(fill(PREFIX + path), fields)), names);
  });

  it('leaves out no page and no form', async () => {
    read(await send('/dashboard/sign-out'));
    const all = listPages().flatMap((page) => [
      ...(page.get ? [`GET ${page.path}`] : []),
      ...(page.post ? [`POST ${page.path}`] : []),
    ]);
    expect(all.filter((one) => !visited.has(one))).toEqual([]);
  });
});
