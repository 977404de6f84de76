import type { Operation, TakenValue } from '../../../../core/operations/operation.js';
import { listBodyNames } from '../../../openapi/request.js';
import { API_PREFIX } from '../../../rest/rest.js';

export type Example = Operation['examples'][number];

/**
 * An example as a request over REST. Values that only an earlier response can provide appear as in the
 * example.
 */
export type SampleRequest = {
  method: Operation['route']['method'];
  /** The full address, with its query. */
  url: string;
  /** Sent as JSON. */
  json: Record<string, unknown> | undefined;
  /** Fields of a form that also has a part `file`. */
  form: readonly (readonly [string, string])[] | undefined;
  taken: Readonly<Record<string, TakenValue>>;
  /** The response is a file. */
  is_file: boolean;
};

/** The photo that the form of an example sends, in the current folder. */
export const SAMPLE_PHOTO = 'mug.jpg';

/** @param base_url without a trailing slash */
export function buildSampleRequest(
  { route, file }: Pick<Operation, 'route' | 'file'>,
  { input, taken = {} }: Example,
  base_url: string,
): SampleRequest {
  const fields = input as Record<string, unknown>;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(fields[name]));
  const names = listBodyNames(route, Object.keys(fields));
  const texts = names.map((name) => [name, toText(fields[name])] as const);
  const query = route.body ? '' : new URLSearchParams(texts.map(([name, text]) => [name, text])).toString();
  return {
    method: route.method,
    url: `${base_url}${API_PREFIX}${path}${query && `?${query}`}`,
    json: route.body === 'json' ? Object.fromEntries(names.map((name) => [name, fields[name]])) : undefined,
    form: route.body === 'multipart' ? texts : undefined,
    taken,
    is_file: file !== undefined,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a reader finds the values of the variables in a sample. */
export function listTaken({ taken = {} }: Example): (TakenValue & { variable: string })[] {
  return Object.entries(taken).map(([variable, value]) => ({ variable, ...value }));
}
