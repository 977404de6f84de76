import type { LimitState } from '../../core/operations/limits.js';
import type { Quotas } from '../../core/operations/quotas.js';
import { formatCount } from '../../core/text/format_count.js';
import { Badge } from '../components/badge.js';
import { describeSize } from '../components/size.js';
import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';
import { PREFIX } from '../routes.js';
import { findWebhookHealth, type WebhookHealth } from '../webhook_health.js';

/** Webhooks, API keys, assistants and uploads, and how much of the account's limits is used. */
export const settings: Page = {
  path: '/settings',
  async get(visit) {
    const { operations, core, account_id } = visit;
    const [webhooks, limits, room, keys, grants] = await Promise.all([
      findWebhookHealth(operations),
      operations.getLimits(),
      core.quotas.get(account_id),
      core.accounts.listKeys(account_id),
      core.grants.list(account_id),
    ]);
    const usable = keys.filter((key) => key.revoked_at === null && !key.is_expired);
    return (
      <Dashboard visit={visit} title="Settings" section="Settings">
        <h1>Settings</h1>
        <div class="grid">
          <WebhooksCard health={webhooks} />
          <section class="card">
            <h2>
              <a href={`${PREFIX}/access`}>API keys and assistants</a>
            </h2>
            <p class="note">
              {formatCount(usable.length, 'API key')}, {formatCount(grants.length, 'assistant')} connected
              over the web
            </p>
          </section>
          <RoomCard {...room} />
          <LimitsCard limits={limits} />
        </div>
      </Dashboard>
    );
  },
};

function WebhooksCard({ health }: { health: WebhookHealth }) {
  return (
    <section class="card">
      <div class="row between">
        <h2>
          <a href={`${PREFIX}/webhooks`}>Webhooks</a>
        </h2>
        <Badge tone={health.tone}>{health.word}</Badge>
      </div>
      <p class="note">{health.sentence}</p>
    </section>
  );
}

function LimitsCard({ limits }: { limits: LimitState | undefined }) {
  if (!limits) return null;
  const { limit_day, remaining_day, limit_second } = limits;
  return (
    <section class="card">
      <h2>Calls left today</h2>
      <p class="number">
        <strong>{NUMBER.format(remaining_day)}</strong>{' '}
        <span class="note">of {NUMBER.format(limit_day)}</span>
      </p>
      <progress aria-label="Calls left today" value={remaining_day} max={limit_day} />
      <p class="note">
        Assistants and programs may call {NUMBER.format(limit_second)} times a second. Using these pages does
        not count.
      </p>
    </section>
  );
}

const NUMBER = new Intl.NumberFormat('en');

/** How much of the account's storage is used. */
function RoomCard({ used, most }: Awaited<ReturnType<Quotas['get']>>) {
  const lines = [
    { name: 'Saved drafts', part: 'drafts', format: (value: number) => NUMBER.format(value) },
    { name: 'Text of the drafts', part: 'draft_bytes', format: describeSize },
    { name: 'Photos, videos and files', part: 'upload_bytes', format: describeSize },
  ] as const;
  return (
    <section class="card">
      <h2>
        <a href={`${PREFIX}/uploads`}>Uploads and storage</a>
      </h2>
      <ul class="lines">
        {lines.map(({ name, part, format }) => (
          <li key={part}>
            <p>
              {name}{' '}
              <span class="note">
                {format(used[part])} of {format(most[part])}
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
