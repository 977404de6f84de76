import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startReceiver, verify, type Receiver } from '../webhooks/receivers.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

const PAGE = '/dashboard/webhooks';

let dashboard: TestDashboard;
let visitor: Visitor;
let receiver: Receiver;
/** The receiver's current answer. */
let answer_status = 204;

beforeAll(async () => {
  dashboard = await startDashboard({ WEBHOOK_ALLOW_HTTP: 'on', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  answer_status = 204;
  receiver = await startReceiver((response) => void response.writeHead(answer_status).end());
});
afterEach(async () => {
  await visitor.post(`${PAGE}/remove`);
  await receiver.close();
});

async function setDestination(events = ['order.paid', 'order.shipped']): Promise<string> {
  const fields: [string, string][] = events.map((event) => ['events', event]);
  const { location } = await visitor.post(`${PAGE}/destination`, [['url', receiver.url], ...fields]);
  return seeSecret(location);
}

/** Empty if the page after a form shows none. */
async function seeSecret(location: string): Promise<string> {
  const { text } = await visitor.get(location);
  return /<code>(whsec_[^<]+)<\/code>/.exec(text)?.[1] ?? '';
}

const see = async (path = PAGE) => toText((await visitor.get(path)).text);

describe('the webhook destination in the dashboard', () => {
  it('is requested if there is none, and its secret is shown once', async () => {
    expect(await see()).toContain('Where should they go?');
    const secret = await setDestination();
    expect(secret).toMatch(/^whsec_/);
    const page = await visitor.get(PAGE);
    expect(page.text).not.toContain(secret);
    expect(toText(page.text)).toContain(
      `Destination On ${receiver.url} An order was paid An order was shipped`,
    );
    // Setting it again creates no new secret.
    expect(await setDestination(['order.canceled'])).toBe('');
    expect(await see()).toContain(`${receiver.url} An order was canceled Send a test event`);
  });

  it('that is refused keeps the input', async () => {
    const { status, text } = await visitor.post(`${PAGE}/destination`, [
      ['url', 'ftp://example.com/"><script>'],
      ['events', 'order.paid'],
    ]);
    expect(status).toBe(400);
    expect(toText(text)).toContain('The address must start with');
    expect(text).toMatch(
      /<input id="url"[^\n]*? aria-invalid="true" aria-describedby="url-problem url-note"/,
    );
    expect(text).toContain('value="ftp://example.com/&quot;>&lt;script>"');
    const none = await visitor.post(`${PAGE}/destination`, { url: receiver.url });
    expect(none.status).toBe(400);
    expect(toText(none.text)).toContain('Events: This must have at least 1 item');
    expect(await see()).toContain('Where should they go?');
  });

  it('gets a new secret in addition to the old one', async () => {
    const old = await setDestination();
    expect(await see(`${PAGE}/secret`)).toContain('deliveries are signed with both');
    const { location } = await visitor.post(`${PAGE}/secret`);
    const fresh = await seeSecret(location);
    // Loaded again, the page neither shows it nor creates another.
    expect((await visitor.get(location)).location).toBe(PAGE);
    expect([fresh.startsWith('whsec_'), fresh === old]).toEqual([true, false]);
    expect(await see()).toContain('The secret was changed: deliveries carry signatures of the old one, too');
    await visitor.post(`${PAGE}/test`);
    const [received] = receiver.received;
    if (!received) throw new Error('nothing arrived');
    expect([old, fresh].map((secret) => verify(secret, received).type)).toEqual([
      'webhook.test',
      'webhook.test',
    ]);
  });

  it('that answered 410 is switched off, says so, and is switched on again', async () => {
    await setDestination();
    answer_status = 410;
    await visitor.post(`${PAGE}/test`);
    expect(await see()).toContain('The receiver answered 410, which means that it is gone for good.');
    const { location } = await visitor.post(`${PAGE}/switch-on`);
    expect(location).toBe(PAGE);
    expect(await see()).toContain(
      `Destination On ${receiver.url} An order was paid An order was shipped Send a test`,
    );
  });

  it('is removed after a confirmation', async () => {
    await setDestination();
    expect(await see(`${PAGE}/remove`)).toContain(`Remove the destination? ${receiver.url}`);
    await visitor.post(`${PAGE}/remove`);
    expect(await see()).toContain('Where should they go?');
  });
});

describe('a delivery in the dashboard', () => {
  it('of a test event shows its body and that it arrived', async () => {
    await setDestination();
    const { location } = await visitor.post(`${PAGE}/test`);
    expect(location).toMatch(/^\/dashboard\/webhooks\/deliveries\/\d+$/);
    const words = await see(location);
    expect(words).toContain('webhook.test Arrived');
    expect(words).toContain('The receiver took it, with 204.');
    expect(words).not.toContain('webhook.test&quot;');
    const { text } = await visitor.get(location);
    const href = /href="([^"]+)">Show the content/.exec(text)?.[1] ?? '';
    expect(await see(href)).toContain('&quot;type&quot;: &quot;webhook.test&quot;');
  });

  it('that failed is sent again, and both attempts are shown', async () => {
    await setDestination();
    answer_status = 503;
    const failed = await visitor.post(`${PAGE}/test`);
    expect(await see('/dashboard/settings')).toContain('Webhooks Last one failed');
    const words = await see(failed.location);
    expect(words).toContain('The receiver answered 503; only 200 to 299 counts as received.');
    expect(words).toContain('Send again');
    answer_status = 204;
    const again = await visitor.post(`${failed.location}/send-again`);
    expect(again.location).not.toBe(failed.location);
    expect(await see('/dashboard/settings')).toContain('Webhooks Working');
    const second = await see(again.location);
    expect(second).toContain('Arrived');
    expect(second).toMatch(/Every try of this event .* Failed 503 1 .* Arrived 204 2 /);
    expect(receiver.listIds()[0]).toBe(receiver.listIds()[1]);
  });

  it('is found by its status', async () => {
    await setDestination();
    answer_status = 500;
    const failed = await visitor.post(`${PAGE}/test`);
    answer_status = 204;
    const arrived = await visitor.post(`${PAGE}/test`);
    const listed = async (status: string) => (await visitor.get(`${PAGE}?status=${status}`)).text;
    expect(await listed('failed')).toContain(`href="${failed.location}"`);
    expect(await listed('failed')).not.toContain(`href="${arrived.location}"`);
    expect(await listed('success')).toContain(`href="${arrived.location}"`);
    expect(toText(await listed('pending'))).toContain('No delivery has the state “Waiting” now.');
  });

  it.each(['/deliveries/999999', '/deliveries/x'])(
    'that does not exist is reported as missing: %s',
    async (path) => {
      expect((await visitor.get(PAGE + path)).status).toBe(404);
      expect((await visitor.post(`${PAGE + path}/send-again`)).status).toBe(404);
    },
  );

  it('is one of many shown page by page', async () => {
    await setDestination();
    const { deliveries } = dashboard.service.app.core;
    for (let sent = 0; sent < 26; sent += 1) await deliveries.sendTest(dashboard.account_id);
    const first = (await visitor.get(PAGE)).text;
    expect(toText(first)).toMatch(/1 to 25 of \d+ Next/);
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1] ?? '';
    expect(await see(next)).toMatch(/Previous 26 to \d+ of \d+/);
  });
});
