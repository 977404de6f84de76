import { createHash } from 'node:crypto';

export function buildEtag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Whether the header names the ETag. The comparison is weak, as If-None-Match requires: the prefix W/ is ignored. */
export function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''))
    .some((part) => part === '*' || part === etag);
}
