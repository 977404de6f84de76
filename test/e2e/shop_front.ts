import { createHttpFace } from '../../src/transports/index.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../service.js';
import { openStateless, openStdio, openWithHandshake, type Address, type Assistant } from './mcp_clients.js';

/**
 * A service with an HTTP face, a request that would activate a listing in both shops, and the marketplace's
 * state afterwards.
 */
export type ShopFront = Address & {
  service: TestService;
  request: ReturnType<typeof buildMug> & { images: { url: string }[] };
  /** Clients by transport. Closed with the rest. */
  assistants: Record<'stdio' | 'handshake' | 'stateless', Assistant>;
  count(): Promise<{ listings: number; fees: number; saved: number }>;
  close(): Promise<void>;
};

export async function openShopFront(environment: Record<string, string> = {}): Promise<ShopFront> {
  const service = await startService(environment);
  const { account_id } = await service.app.core.accounts.getDefault();
  const { key } = await service.app.core.accounts.createKey(account_id, 'test');
  const face = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  const address = { url: `http://127.0.0.1:${face.port}`, key };
  const images = [{ url: await upload(service, 'photo-01.jpg') }];
  const assistants = {
    stdio: await openStdio(service.app.service),
    handshake: await openWithHandshake(address),
    stateless: openStateless(address),
  };
  return {
    ...address,
    service,
    request: { ...buildMug(await listTargets(service), { state: 'active' }), images },
    assistants,
    async count() {
      const { listings, fees } = await service.control<{ listings: unknown[]; fees: unknown[] }>(
        'GET',
        '/state',
      );
      const { total } = await service.call<{ total: number }>('listings_list');
      return { listings: listings.length, fees: fees.length, saved: total };
    },
    async close() {
      await Promise.all(Object.values(assistants).map((assistant) => assistant.close()));
      await face.close(0);
      await service.close();
    },
  };
}

export const NOTHING = { listings: 0, fees: 0, saved: 0 };
export const BOTH_SHOPS = { listings: 2, fees: 2, saved: 1 };
