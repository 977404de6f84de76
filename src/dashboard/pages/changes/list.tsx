import { Foreign, Time } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { Pager } from '../../components/pager.js';
import { Table } from '../../components/table.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Page } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { listBatches, PATH, toBatchPath } from './read.js';
import { toExtent, toResult, toStatusWord, toTitle, type Batch } from './words.js';

const PAGE_SIZE = 25;

/** Changes of many listings, the newest first. */
export const changes: Page = {
  path: '/changes',
  async get(visit) {
    const { batches, ...page } = await listBatches(visit, { limit: PAGE_SIZE, offset: getOffset(visit) });
    return (
      <Dashboard visit={visit} title="Changes" section="Changes">
        <div class="stack tight">
          <h1>Changes</h1>
          <p class="note">Bulk changes from the last 90 days. You can undo each one.</p>
        </div>
        {page.total === 0 && <NoChanges />}
        {batches.length > 0 && <ChangeTable batches={batches} />}
        <Pager {...page} buildHref={(offset) => (offset === 0 ? PATH : `${PATH}?offset=${offset}`)} />
      </Dashboard>
    );
  },
};

type Listed = { batch: Batch; undone: Batch | undefined };

function ChangeTable({ batches }: { batches: readonly Listed[] }) {
  return (
    <Table
      label="Changes"
      columns={[{ name: 'What' }, { name: 'Where' }, { name: 'State' }, { name: 'Result' }, { name: 'When' }]}
      rows={batches.map(({ batch, undone }) => ({
        key: batch.batch_id,
        cells: [
          <a href={toBatchPath(batch.batch_id)}>
            <Foreign text={toTitle(batch, undone)} />
          </a>,
          batch.counts.items > 0 ? toExtent(batch.counts) : '',
          <Status batch={batch} />,
          batch.started_at === null ? '' : toResult(batch),
          <Time at={batch.started_at ?? batch.created_at} />,
        ],
      }))}
    />
  );
}

function Status({ batch }: { batch: Batch }) {
  const { tone, word } = toStatusWord(batch);
  return <Badge tone={tone}>{word}</Badge>;
}

function NoChanges() {
  return (
    <div class="empty">
      <h2>No changes yet</h2>
      <p>
        Select listings on the <a href={`${PREFIX}/listings`}>Listings</a> page and choose what to change. You
        review every difference before anything is saved to Etsy.
      </p>
    </div>
  );
}
