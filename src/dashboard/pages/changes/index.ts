import type { LiveStreams } from '../../live_streams.js';
import type { Page } from '../../page.js';
import { cancelChange, planAgain, startChange, undoChange } from './actions.js';
import { createChangeEvents } from './events.js';
import { changes } from './list.js';
import { newChange } from './new.js';
import { downloadSheet, uploadSheet } from './sheet.js';
import { change } from './show.js';

/** Changes of many listings: the list, each with its plan and its result, and what can be done with it. */
export function createChangePages(streams: LiveStreams): Page[] {
  return [
    changes,
    newChange,
    uploadSheet,
    downloadSheet,
    change,
    createChangeEvents(streams),
    startChange,
    cancelChange,
    undoChange,
    planAgain,
  ];
}
