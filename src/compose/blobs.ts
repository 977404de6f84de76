import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkClaim,
  claimBlobs,
  createBlobFolder,
  createBucket,
  createBucketBlobs,
  createBucketMarker,
  createFolderMarker,
  identifyFolder,
  probeBucket,
  tryBucket,
  type Bucket,
  type BucketOptions,
} from '../blobs/index.js';
import { ConfigError, type Config } from '../config.js';
import { BlobsError, type Blobs, type Store } from '../core/ports/index.js';
import { keepFinding } from './kept_finding.js';

/** Each check costs one request to the bucket. */
const FOUND_FOR_MS = 15_000;
/** A probe waits no longer than this. */
const PROBE_TIMEOUT_MS = 4_000;

export type BlobSettings = Pick<
  Config,
  | 'data_dir'
  | 'database_url'
  | 'blob_store'
  | 's3_endpoint'
  | 's3_region'
  | 's3_access_key_id'
  | 's3_secret_access_key'
  | 's3_path_style'
>;

type World = Omit<BucketOptions, 'place' | 'timeout_ms'>;

export type OpenedBlobs = {
  blobs: Blobs;
  /** Problems with storing bytes, one sentence each. The disk check finds those of a folder. */
  listTroubles(): Promise<string[]>;
  close(): Promise<void>;
};

/** The installation that owns the files, as its database knows it. */
type Installation = {
  /**
   * Identifies the installation by its first account, which each database creates for itself and keeps
   * wherever it is moved.
   */
  getDefaultAccount(): Promise<{ account_id: string }>;
  /** Whether there must be files already. */
  namesFiles(): Promise<boolean>;
  /** Returns the id of the data folder that has the files: the first id that was passed. */
  keepBlobFolder(folder_id: string): Promise<string>;
};

/**
 * The blob store, claimed for this installation. Throws ConfigError if it belongs to another, or cannot be
 * used.
 */
export async function openBlobs(
  settings: BlobSettings,
  world: World,
  installation: Installation,
): Promise<OpenedBlobs> {
  const { blob_store, data_dir } = settings;
  if (blob_store === undefined) {
    const blob_dir = join(data_dir, 'blobs');
    if (settings.database_url !== undefined) await refuseOtherComputer(blob_dir, world, installation);
    return openFolder(blob_dir);
  }
  if (blob_store.kind === 'folder') {
    const { account_id } = await installation.getDefaultAccount();
    const marker = createFolderMarker(blob_store.path);
    const isNew = (await marker.read()) === undefined;
    await claimBlobs(marker, account_id).catch(toConfigError);
    // The folder may not be mounted here, or the files have yet to be copied into it.
    if (isNew && (await installation.namesFiles())) {
      world.log.warn('the folder of BLOB_STORE is new, but the database refers to files', {
        folder: blob_store.path,
      });
    }
    return openFolder(blob_store.path);
  }
  const bucket = openBucket(settings, world);
  try {
    const { account_id } = await installation.getDefaultAccount();
    await claimBlobs(createBucketMarker(bucket), account_id);
  } catch (cause) {
    await bucket.close();
    return toConfigError(cause);
  }
  // A separate connection with a shorter timeout.
  const probed = openBucket(settings, world, PROBE_TIMEOUT_MS);
  return {
    blobs: createBucketBlobs(bucket, world),
    listTroubles: keepFinding(FOUND_FOR_MS, () => listTroubles(() => probeBucket(probed))),
    async close() {
      await bucket.close();
      await probed.close();
    },
  };
}

/** As reported by an open store. */
export function toInstallation(
  store: Pick<Store, 'accounts' | 'getFigures' | 'keepBlobFolder'>,
): Installation {
  return {
    getDefaultAccount: () => store.accounts.getDefaultAccount(),
    namesFiles: async () => (await store.getFigures()).upload_bytes > 0,
    keepBlobFolder: (folder_id) => store.keepBlobFolder(folder_id),
  };
}

/**
 * If several computers share a database, only the data folder of one can have the files: the first one. It is
 * identified by an id of its own, so that another computer is refused at its start, not when a file is
 * missing.
 */
async function refuseOtherComputer(
  blob_dir: string,
  { randomness }: World,
  { namesFiles, keepBlobFolder }: Installation,
): Promise<void> {
  const isOther = !existsSync(blob_dir) && (await namesFiles());
  if (!isOther) {
    const folder_id = await identifyFolder(blob_dir, randomness.bytes(12).toString('hex'));
    if ((await keepBlobFolder(folder_id)) === folder_id) return;
  }
  throw new ConfigError(
    `The files of the database at DATABASE_URL are not in ${blob_dir}: another computer has them. Set BLOB_STORE on both computers to a bucket (s3://bucket/prefix) or to a folder that all computers share (file:///folder).`,
  );
}

/**
 * A bucket or a folder that computers share: its problems, one sentence each, and whether files that it
 * should have are elsewhere.
 */
export type ExaminedBlobs = { name: string; is_bucket: boolean; troubles: string[]; lacks_files: boolean };

/**
 * Tries each call of a bucket, and checks whether a folder is in use, to examine an installation; undefined
 * if files are in the data folder.
 * @param content of the database; if undefined, the owner of the bucket is not checked
 */
export async function examineBlobs(
  settings: BlobSettings,
  world: World,
  content: { installation_id: string | undefined; names_files: boolean } | undefined,
): Promise<ExaminedBlobs | undefined> {
  if (settings.blob_store === undefined) return undefined;
  if (settings.blob_store.kind === 'folder') {
    const name = settings.blob_store.path;
    const isNew = (await createFolderMarker(name).read()) === undefined;
    return { name, is_bucket: false, troubles: [], lacks_files: isNew && content?.names_files === true };
  }
  const installation_id = content?.installation_id;
  const bucket = openBucket(settings, world);
  try {
    const random = world.randomness.bytes(12).toString('hex');
    const tryCalls = async () => {
      if (installation_id !== undefined) await checkClaim(createBucketMarker(bucket), installation_id);
      await tryBucket(bucket, random);
    };
    return { name: bucket.name, is_bucket: true, troubles: await listTroubles(tryCalls), lacks_files: false };
  } finally {
    await bucket.close();
  }
}

function openFolder(path: string): OpenedBlobs {
  return {
    blobs: createBlobFolder(path),
    listTroubles: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}

/** For settings that name a bucket, and therefore its key. */
function openBucket(settings: BlobSettings, world: World, timeout_ms?: number): Bucket {
  const { blob_store, s3_endpoint, s3_region, s3_access_key_id, s3_secret_access_key } = settings;
  if (blob_store?.kind !== 's3' || !s3_access_key_id || !s3_secret_access_key) {
    throw new Error('a bucket has been parsed with its key');
  }
  const place = {
    bucket: blob_store.bucket,
    prefix: blob_store.prefix,
    endpoint: s3_endpoint ?? `https://s3.${s3_region}.amazonaws.com`,
    region: s3_region,
    access_key_id: s3_access_key_id,
    secret_access_key: s3_secret_access_key,
    is_path_style: settings.s3_path_style ?? s3_endpoint !== undefined,
  };
  return createBucket({ ...world, place, timeout_ms });
}

async function listTroubles(tryCalls: () => Promise<void>): Promise<string[]> {
  try {
    await tryCalls();
    return [];
  } catch (cause) {
    if (!(cause instanceof BlobsError)) throw cause;
    return [cause.message];
  }
}

function toConfigError(cause: unknown): never {
  throw cause instanceof BlobsError ? new ConfigError(cause.message, { cause }) : cause;
}
