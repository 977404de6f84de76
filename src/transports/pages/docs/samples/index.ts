import type { Operation } from '../../../../core/operations/operation.js';
import { buildCurl } from './curl.js';
import { buildPython } from './python.js';
import { buildSampleRequest, type Example } from './request.js';
import { buildTypeScript } from './typescript.js';

export { listTaken, SAMPLE_PHOTO, type Example } from './request.js';

/** One example in one language. */
export type Sample = { language: 'curl' | 'TypeScript' | 'Python'; code: string };

/** The same request in each language, generated from the operation and its example. */
export function buildSamples(
  operation: Pick<Operation, 'route' | 'file'>,
  example: Example,
  base_url: string,
): Sample[] {
  const request = buildSampleRequest(operation, example, base_url);
  return [
    { language: 'curl', code: buildCurl(request) },
    { language: 'TypeScript', code: buildTypeScript(request) },
    { language: 'Python', code: buildPython(request) },
  ];
}
