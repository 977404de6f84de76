import { pino, type DestinationStream } from 'pino';
import type { Log } from '../core/ports/world.js';
import type { LogLevel } from './log_levels.js';
import { redact } from './redact.js';

/** Logs redacted JSON, one object per line, to stderr: stdout belongs to the protocol. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const write = (method: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: object) => {
    // Redacting costs more than the line itself.
    if (logger.isLevelEnabled(method)) logger[method](fields ? (redact(fields) as object) : {}, message);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
