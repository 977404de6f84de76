import { join, resolve } from 'node:path';
import { ConfigError, type Config } from '../config.js';
import type { Progress } from '../core/ports/index.js';
import {
  getFirstAccount,
  moveRows,
  openFolderSource,
  openFolderTarget,
  liftFolderMark,
} from '../store/index.js';
import type { FolderPlace, Moved, MovePlace, PostgresPlace } from '../store/index.js';
import { readPackage } from '../version.js';
import { systemClock } from '../world/clock.js';
import { randomIds } from '../world/ids.js';
import { createLog } from '../world/log.js';
import { systemRandomness } from '../world/randomness.js';
import { copyBlobs, type CopiedBlobs } from './backup/copy_blobs.js';
import { openBlobs, type BlobSettings } from './blobs.js';
import { findFolderOwner } from './folder.js';

export type MovedAll = Moved & {
  from: string;
  to: string;
  /** Undefined if files stay where they are. */
  blobs: CopiedBlobs | undefined;
};

type Options = {
  /**
   * The current configuration of the installation; with DATABASE_URL it moves to the data folder, without it
   * to `database_url`.
   */
  config: Config;
  database_url: string | undefined;
  /** The destination of the files; undefined if they stay. */
  blobs: BlobSettings | undefined;
  report: (progress: Progress) => void;
};

/**
 * Moves an installation from its data folder to a PostgreSQL database, or back; see moveRows. The sandbox and
 * the key stay in the data folder, which instances on PostgreSQL have too. An interrupted move resumes where
 * it stopped.
 */
export async function moveAll({ config, database_url, blobs, report }: Options): Promise<MovedAll> {
  const world = createWorld(config);
  const { folder, server } = await openPlaces(config, database_url, world);
  const [from, to] = database_url === undefined ? [server, folder] : [folder, server];
  try {
    let copied: CopiedBlobs | undefined;
    const moved = await moveRows({
      from,
      to,
      tables: folder.tables,
      move_id: world.move_id,
      now: () => world.clock.now(),
      report,
      async moveFiles() {
        if (blobs) copied = await moveFiles({ from, config, blobs, world, report });
      },
    });
    if (to === server) {
      const owner = await findFolderOwner(resolve(config.data_dir));
      await server.keepMarketplace(owner ?? config.marketplace);
    }
    return { ...moved, from: from.name, to: to.name, blobs: copied };
  } finally {
    await server.close();
    await folder.close();
  }
}

/**
 * Allows a database that was moved away to be started again. Returns the place that it was moved to;
 * undefined if it was not moved.
 */
export async function liftMark(config: Config): Promise<string | undefined> {
  if (config.database_url === undefined) return liftFolderMark(resolve(config.data_dir));
  const { liftPostgresMark } = await import('../store/engine/postgres/move_place.js');
  return liftPostgresMark({ url: config.database_url, ...createWorld(config) });
}

/** Marks the database at DATABASE_URL as restored from a dump; see the store's function of the same name. */
export async function markRestored(config: Config, dumped_at: Date): Promise<{ listings: number }> {
  if (config.database_url === undefined) {
    throw new ConfigError(
      'DATABASE_URL is not set. Pass the folder of a backup instead, which stores the time when it was made.',
    );
  }
  const { markRestored: mark } = await import('../store/move/restored.js');
  return mark({ url: config.database_url, dumped_at, ...createWorld(config) });
}

type World = ReturnType<typeof createWorld>;

function createWorld({ log_level }: Config) {
  return {
    clock: systemClock,
    randomness: systemRandomness,
    log: createLog(log_level),
    user_agent: `marketplace-listing-service/${readPackage().version}`,
    move_id: randomIds.build(''),
  };
}

async function openPlaces(
  config: Config,
  database_url: string | undefined,
  world: World,
): Promise<{ folder: FolderPlace; server: PostgresPlace }> {
  const url = database_url ?? config.database_url;
  if (url === undefined) {
    throw new ConfigError(
      'DATABASE_URL is not set, so the installation is already in its data folder. Set DATABASE_URL to the database to move back, or pass the one to move to with --to.',
    );
  }
  if (database_url !== undefined && config.database_url !== undefined) {
    throw new ConfigError(
      'The installation is already on PostgreSQL: DATABASE_URL is set. To move from one server to another, use pg_dump and pg_restore.',
    );
  }
  const data_dir = resolve(config.data_dir);
  const folder = await (database_url === undefined ? openFolderTarget(data_dir) : openFolderSource(data_dir));
  try {
    const { openPostgresPlace } = await import('../store/engine/postgres/move_place.js');
    const setting = database_url === undefined ? 'DATABASE_URL' : '--to';
    return { folder, server: await openPostgresPlace({ url, setting, ...world }) };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function moveFiles(options: {
  from: MovePlace;
  config: Config;
  blobs: BlobSettings;
  world: World;
  report: (progress: Progress) => void;
}): Promise<CopiedBlobs> {
  const { from, config, blobs, world, report } = options;
  const installation = {
    getDefaultAccount: () => from.service.read(getFirstAccount),
    // The target receives the files with this move.
    namesFiles: async () => false,
    keepBlobFolder: (folder_id: string) => Promise.resolve(folder_id),
  };
  const old = await openBlobs(config, world, installation);
  try {
    const fresh = await openBlobs({ ...blobs, database_url: undefined }, world, installation);
    try {
      return await copyBlobs(
        { from: old.blobs, to: fresh.blobs, staging_dir: join(resolve(config.data_dir), 'moving-files') },
        (progress) => report({ ...progress, message: 'files' }),
      );
    } finally {
      await fresh.close();
    }
  } finally {
    await old.close();
  }
}
