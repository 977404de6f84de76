import type { FastifyReply } from 'fastify';
import { buildPolicy } from '../../pages/index.js';

const POLICY = buildPolicy();

/** @param page a complete rendered page */
export function sendPage(reply: FastifyReply, page: string | Buffer, policy = POLICY): FastifyReply {
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
}
