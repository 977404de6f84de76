import type { Operation } from '../../../core/operations/operation.js';
import { API_PREFIX } from '../../rest/rest.js';
import { listOfferedSkills } from '../../mcp/skills.js';
import type { Guide } from './guides.js';
import { linkTo, nameOperationPage, type Place } from './place.js';

/** Path of the index, and its name among the packaged files. */
export const LLMS = 'llms.txt';

/**
 * An index of the documentation for assistants, in the llms.txt format. Links point to the Markdown of the
 * guides.
 */
export function buildLlmsText(
  operations: readonly Operation[],
  guides: readonly Guide[],
  place: Place,
): string {
  const isPackaged = place === 'packaged';
  const openapi = isPackaged ? 'openapi.json' : `${API_PREFIX}/openapi.json`;
  const skills = listOfferedSkills(new Set(operations.map(({ id }) => id)));
  return [
    '# marketplace-listing-service',
    '',
    "> An MCP tool server and REST API that lists handmade and vintage products in one or more of a seller's own Etsy shops. It validates everything before it writes, never creates a listing or pays a fee twice, and can undo changes.",
    '',
    isPackaged ? '' : 'MCP is at /mcp (Streamable HTTP), REST under /api/v1, with the same key.\n',
    '## Guides',
    '',
    ...guides.map(({ name, title }) => `- [${title}](${isPackaged ? '' : '/docs/'}${name}.md)`),
    '',
    '## Operations',
    '',
    `- [OpenAPI description of all operations](${openapi})`,
    ...operations.map(({ id, title }) => `- [${id}](${linkTo(place, nameOperationPage(id))}): ${title}`),
    '',
    '## Skills',
    '',
    ...skills.map(({ name, uri, description }) => `- ${name} (MCP resource ${uri}): ${description}`),
    '',
  ].join('\n');
}
