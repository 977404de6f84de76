import type { Clock } from '../../../core/ports/index.js';
import type { LiveStreams } from '../../live_streams.js';
import type { Page } from '../../page.js';
import { cancelChange, planAgain, startChange, undoChange } from './actions.js';
import { createChangeEvents } from './events.js';
import { cancelJob } from './jobs/cancel.js';
import { createJobEvents, jobChange } from './jobs/show.js';
import { changes, createListEvents } from './list.js';
import { createNewChange } from './new.js';
import { createDownloadSheet, uploadSheet } from './sheet.js';
import { undoJob } from './jobs/undo.js';
import { change } from './show.js';

/** Changes of many listings: the list, and for each change its plan, its result and the available actions. */
export function createChangePages(streams: LiveStreams, clock: Clock): Page[] {
  return [
    changes,
    createListEvents(streams),
    createNewChange(clock),
    uploadSheet,
    createDownloadSheet(clock),
    change,
    createChangeEvents(streams),
    jobChange,
    createJobEvents(streams),
    undoJob,
    cancelJob,
    startChange,
    cancelChange,
    undoChange,
    planAgain,
  ];
}
