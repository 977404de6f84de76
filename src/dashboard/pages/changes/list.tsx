import { formatCount } from '../../../core/text/format_count.js';
import { Foreign, renderPart, Time } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { Live, ReloadWithoutScripts } from '../../components/live.js';
import type { Tone } from '../../components/notice.js';
import { Pager } from '../../components/pager.js';
import { Table } from '../../components/table.js';
import { getOffset } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { LiveStreams } from '../../live_streams.js';
import type { OwnVisit, Page } from '../../page.js';
import { PREFIX } from '../../routes.js';
import { toJobPlace, toJobResult, toJobStatusWord, toJobTitle } from './jobs/words.js';
import { findJobUndo, listChanges, PATH, toBatchPath, toJobPath, type ListedChange } from './read.js';
import { isMoving, toExtent, toResult, toStatusWord } from './words.js';
import { UndoneLink, type Undone } from '../../components/undone.js';
import { createNameStarter, type NameStarter } from './who.js';

const PAGE_SIZE = 25;

/** Every change: of one listing, of many, and imports; the newest first. */
export const changes: Page = {
  path: '/changes',
  async get(visit) {
    const offset = getOffset(visit);
    const { total, items, nameStarter } = await readList(visit);
    const count = countMoving(items);
    return (
      <Dashboard
        visit={visit}
        title="Changes"
        section="Changes"
        scripts={count > 0 ? ['live'] : []}
        head={count > 0 && <ReloadWithoutScripts />}
      >
        <div class="stack tight">
          <h1>Changes</h1>
          <p class="note">
            Changes made by you, your assistants and your programs. Edits can be undone for 90 days.
          </p>
        </div>
        {total === 0 && <NoChanges />}
        {count > 0 ? (
          <Live href={`${PATH}/events?offset=${offset}`} sentence={toSentence(count)}>
            <List items={items} nameStarter={nameStarter} />
          </Live>
        ) : (
          <List items={items} nameStarter={nameStarter} />
        )}
        <Pager
          {...{ total, offset }}
          limit={PAGE_SIZE}
          buildHref={(start) => (start === 0 ? PATH : `${PATH}?offset=${start}`)}
        />
      </Dashboard>
    );
  },
};

/** Server-sent events of the list, while a change in it is in progress. */
export function createListEvents(streams: LiveStreams): Page {
  return {
    path: '/changes/events',
    get: (visit) =>
      streams(visit, async () => {
        const { items, nameStarter } = await readList(visit);
        const count = countMoving(items);
        if (count === 0) return undefined;
        return {
          html: renderPart(<List items={items} nameStarter={nameStarter} />),
          sentence: toSentence(count),
        };
      }),
  };
}

async function readList(visit: OwnVisit) {
  const [{ total, items }, nameStarter] = await Promise.all([
    listChanges(visit, { limit: PAGE_SIZE, offset: getOffset(visit) }),
    createNameStarter(visit),
  ]);
  return { total, items, nameStarter };
}

function countMoving(items: readonly ListedChange[]): number {
  return items.filter((item) => ('job' in item ? item.job.status === 'processing' : isMoving(item.batch)))
    .length;
}

function toSentence(count: number): string {
  return `${formatCount(count, 'change')} in progress`;
}

function List({ items, nameStarter }: { items: readonly ListedChange[]; nameStarter: NameStarter }) {
  if (items.length === 0) return null;
  return <Table label="Changes" columns={COLUMNS} rows={items.map((item) => toRow(item, nameStarter))} />;
}

const COLUMNS = ['What', 'Who', 'Where', 'State', 'Result', 'When'].map((name) => ({ name }));

function toRow(item: ListedChange, nameStarter: NameStarter) {
  if ('job' in item) {
    const { job } = item;
    const { tone, word } = toJobStatusWord(job);
    return {
      key: job.job_id,
      cells: [
        <a href={toJobPath(job.job_id)}>
          <Foreign text={toJobTitle(job)} />
        </a>,
        toCell(nameStarter(job.started_by)),
        toCell(toJobPlace(job)),
        <State tone={tone} word={word} undone={findJobUndo(job)} />,
        toJobResult(job),
        <Time at={job.created_at} />,
      ],
    };
  }
  const { batch, title, undone, started_by } = item;
  const { tone, word } = toStatusWord(batch);
  return {
    key: batch.batch_id,
    cells: [
      <a href={toBatchPath(batch.batch_id)}>
        <Foreign text={title} />
      </a>,
      toCell(nameStarter(started_by)),
      batch.counts.items > 0 ? toExtent(batch.counts) : '',
      <State tone={tone} word={word} undone={undone} />,
      batch.started_at === null ? '' : toResult(batch),
      <Time at={batch.started_at ?? batch.created_at} />,
    ],
  };
}

function State({ tone, word, undone }: { tone: Tone; word: string; undone: Undone | undefined }) {
  return undone ? <UndoneLink undone={undone} /> : <Badge tone={tone}>{word}</Badge>;
}

function toCell(text = '') {
  return text === '' ? '' : <Foreign text={text} />;
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
