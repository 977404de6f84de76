import type { Visit } from '../page.js';
import { Notice } from './notice.js';

/** Confirmations that a page shows while its URL has the parameter "done". */
const SENTENCES = {
  activated: 'Activated.',
  deactivated: 'Deactivated.',
  draft_deleted: 'Draft deleted.',
  listing_removed: 'Listing removed from this app.',
  upload_deleted: 'Upload deleted.',
} as const;
export type DoneDeed = keyof typeof SENTENCES;

/** The URL of a page that shows the confirmation. */
export function withDone(path: string, deed: DoneDeed): string {
  return `${path}?done=${deed}`;
}

export function readDone({ request }: Pick<Visit, 'request'>): DoneDeed | undefined {
  const deed = request.query.get('done') ?? '';
  return isDeed(deed) ? deed : undefined;
}

export function Done({ deed }: { deed: DoneDeed | undefined }) {
  if (deed === undefined) return null;
  return (
    <Notice tone="ok">
      <p>{SENTENCES[deed]}</p>
    </Notice>
  );
}

function isDeed(text: string): text is DoneDeed {
  return Object.hasOwn(SENTENCES, text);
}
