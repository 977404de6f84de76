import type { ImportJobResult as ImportJob } from '../schemas/import.js';
import type { ListingJobResult as Job, ShopResult as Shop, Warning as Warned } from '../schemas/job.js';
import type { UpdateResult as Update } from '../schemas/listing_changes.js';
import type { Written } from '../src/core/issues/answers.js';

/* Answers as callers get them: with sentences in place of facts. */

export type ListingJobResult = Written<Job>;
export type ShopResult = Written<Shop>;
export type UpdateResult = Written<Update>;
export type ImportJobResult = Written<ImportJob>;
export type Warning = Written<{ warnings: Warned[] }>['warnings'][number];
