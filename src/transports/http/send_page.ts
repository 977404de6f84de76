import type { FastifyReply } from 'fastify';
import { buildPolicy } from '../../pages/index.js';

const POLICY = buildPolicy();

/** @param page a whole page, rendered */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page);
}
