import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the client prefers HTML. Browsers that open an address ask for HTML by name, programs for JSON
 * or for anything. A client that names both gets the one with the higher weight, and JSON if they are equal.
 */
export function wantsHtml({ accept = '' }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  return getWeight(accept, 'text/html') > getWeight(accept, 'application/json');
}

/** The weight of a type, from 0 to 1 (RFC 9110, 12.5.1); 0 if the header does not name it. */
function getWeight(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}
