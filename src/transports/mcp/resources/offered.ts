import { RESOURCES, type Resource } from './catalog.js';

const MIME = 'application/json';

/** The resources whose operations this server has. */
export function listOfferedResources(names: ReadonlySet<string>): Resource[] {
  return RESOURCES.filter(({ operation_id }) => names.has(operation_id));
}

export function hasParameters({ uri }: Resource): boolean {
  return uri.includes('{');
}

export function describeResource({ name, title, description }: Resource) {
  return { name, title, description, mimeType: MIME };
}
