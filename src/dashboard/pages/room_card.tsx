import type { Quotas } from '../../core/operations/quotas.js';
import { describeSize } from '../components/size.js';

/** How much of what the account may keep here is used. */
export function RoomCard({ used, most }: Awaited<ReturnType<Quotas['get']>>) {
  const lines = [
    { name: 'Saved drafts', part: 'drafts', tell: (value: number) => NUMBER.format(value) },
    { name: 'Text of the drafts', part: 'draft_bytes', tell: describeSize },
    { name: 'Photos, films and files', part: 'upload_bytes', tell: describeSize },
  ] as const;
  return (
    <section class="card">
      <h2>Storage used</h2>
      <ul class="lines">
        {lines.map(({ name, part, tell }) => (
          <li key={part}>
            <p>
              {name}{' '}
              <span class="note">
                {tell(used[part])} of {tell(most[part])}
              </span>
            </p>
            <progress
              aria-label={`${name}: storage used`}
              value={Math.min(used[part], most[part])}
              max={most[part]}
            />
          </li>
        ))}
      </ul>
      <p class="note">
        Files are deleted 30 days after upload, unless a saved listing uses them. Drafts stay until you delete
        or publish them.
      </p>
    </section>
  );
}

const NUMBER = new Intl.NumberFormat('en');
