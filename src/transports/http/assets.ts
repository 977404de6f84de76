import type { FastifyInstance } from 'fastify';
import { ASSET_CACHE, type Asset } from '../../pages/index.js';

/** Style, icon and scripts of the pages for people. */
export function addAssets(server: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, content_type, body } of assets) {
    server.get(path, (_request, reply) =>
      reply.header('cache-control', ASSET_CACHE).type(content_type).send(body),
    );
  }
}
