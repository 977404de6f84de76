import type { FastifyInstance } from 'fastify';
import { sendFile } from '../rest/rest.js';
import type { Service } from '../service.js';

/** The one-time address of batch_sheet. The token in the path is the only credential; any other method does not use it up. */
export function addDownloadRoute(server: FastifyInstance, { sheets }: Pick<Service, 'sheets'>): void {
  server.route<{ Params: { token: string } }>({
    method: 'GET',
    url: '/download/:token',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const file = await sheets.readByLink(request.params.token);
      return sendFile(file, {}, reply.header('cache-control', 'no-store'));
    },
  });
}
