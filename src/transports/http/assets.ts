import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { ASSET_CACHE, type Asset } from '../../pages/index.js';

/**
 * Styles, icon and scripts of the pages, compressed once. Pages are not compressed, because they hold
 * secrets.
 */
export function addAssets(server: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, content_type, body } of assets) {
    const gzipped = gzipSync(body, { level: 9 });
    server.get(path, (request, reply) => {
      reply.header('cache-control', ASSET_CACHE).header('vary', 'accept-encoding').type(content_type);
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(body);
      return reply.header('content-encoding', 'gzip').send(gzipped);
    });
  }
}
