import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OrderEventData } from '../../schemas/event.js';
import { buildEnvironment, openRest, runCli, startServe, type Environment } from '../surfaces/faces.js';
import { startReceiver, verify } from '../webhooks/receivers.js';

const PATIENT = { timeout: 60_000, interval: 50 };

async function buildFresh(extra: Environment = {}): Promise<Environment> {
  const data_dir = await mkdtemp(join(tmpdir(), 'order-'));
  onTestFinished(() => rm(data_dir, { recursive: true }));
  return buildEnvironment(data_dir, extra);
}

describe('the command sandbox order', () => {
  it(
    'buys, ships and delivers an order, and each event reaches the receiver of the running server',
    { timeout: 180_000 },
    async () => {
      const env = await buildFresh({
        ORDER_POLL_SECONDS: 'off',
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOW_HTTP: 'on',
      });
      const receiver = await startReceiver();
      const served = await startServe(env);
      onTestFinished(async () => {
        await served.stop();
        await receiver.close();
      });
      const set = await openRest(served.url, served.key).call('webhook_endpoint_set', { url: receiver.url });
      const secret = set.ok ? String(set.output['secret']) : '';

      // The sandbox starts a moment after the server, and only then knows where to send events.
      const printed = /^The running server was notified\.$/m;
      let bought = await runCli(['sandbox', 'order', '--message', 'Für Oma & Opa'], env);
      await expect
        .poll(async () => {
          if (printed.test(bought.stderr)) return true;
          bought = await runCli(['sandbox', 'order', '--message', 'Für Oma & Opa'], env);
          return false;
        }, PATIENT)
        .toBe(true);
      const receipt_id = /^Order (\d+) in shop 48213377 is paid\.$/m.exec(bought.stdout)?.[1] ?? '';
      for (const state of ['shipped', 'delivered']) {
        const { code, stdout } = await runCli(
          ['sandbox', 'order', '--receipt', receipt_id, '--state', state],
          env,
        );
        expect([code, stdout]).toEqual([0, `Order ${receipt_id} in shop 48213377 is ${state}.\n`]);
      }

      const listTold = () =>
        receiver.received
          .map((one) => verify(secret, one) as { type: string; data: OrderEventData })
          .filter(({ data }) => String(data.order.receipt_id) === receipt_id);
      await expect
        .poll(() => [...new Set(listTold().map(({ type }) => type))], PATIENT)
        .toEqual(['order.paid', 'order.shipped', 'order.delivered']);
      expect(listTold()[0]?.data.order.fulfillment?.message_from_buyer).toBe('Für Oma & Opa');
    },
  );

  it('names the problem with its arguments, and an address where no service listens', async () => {
    const env = await buildFresh();
    const run = async (...args: string[]) => (await runCli(['sandbox', 'order', ...args], env)).stderr.trim();
    expect(await run('--state', 'lost')).toBe(
      'listing-service: --state must be one of paid, shipped, delivered, canceled, not "lost".',
    );
    expect(await run('--shop', 'x')).toBe('listing-service: --shop must be a number, not "x".');
    expect(await run('--receipt', '5')).toBe(
      'listing-service: The sandbox has no such shop or order (Resource not found).',
    );
    expect(await run()).toMatch(/^No server has run yet/);
    const other = await runCli(['sandbox', 'order'], {
      ...env,
      MARKETPLACE: 'etsy',
      ETSY_KEYSTRING: 'k',
      ETSY_SHARED_SECRET: 's',
    });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('MARKETPLACE is etsy') });
  });
});
