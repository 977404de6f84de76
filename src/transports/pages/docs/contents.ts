import type { Operation } from '../../../core/operations/operation.js';
import type { Guide } from './guides.js';
import { nameOperationPage } from './place.js';

/** The pages of the documentation by subject, in the order of the sidebar. */
export type Contents = readonly { subject: string; pages: readonly { name: string; title: string }[] }[];

export function listContents(operations: readonly Operation[], guides: readonly Guide[]): Contents {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return [
    { subject: 'Guides', pages: guides.map(({ name, title }) => ({ name, title })) },
    {
      subject: 'Reference',
      pages: [
        { name: 'reference', title: 'Operations, limits, error codes' },
        { name: 'events', title: 'Events' },
      ],
    },
    ...tags.map((tag) => ({
      subject: tag,
      pages: operations
        .filter((operation) => operation.tag === tag)
        .map(({ id, title }) => ({ name: nameOperationPage(id), title })),
    })),
  ];
}
