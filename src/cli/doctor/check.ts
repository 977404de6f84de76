/** The result of one check. Only a problem makes the command fail. */
export type Check = {
  /** The subject of the check; several checks may share a name, such as one for each shop. */
  name: string;
  status: 'ok' | 'warning' | 'problem' | 'skipped';
  message: string;
  /** The remedy; null if there is nothing to do. */
  remedy: string | null;
};

export function ok(name: string, message: string, remedy: string | null = null): Check {
  return { name, status: 'ok', message, remedy };
}

export function warning(name: string, message: string, remedy: string): Check {
  return { name, status: 'warning', message, remedy };
}

export function problem(name: string, message: string, remedy: string): Check {
  return { name, status: 'problem', message, remedy };
}

export function skipped(name: string, message: string): Check {
  return { name, status: 'skipped', message, remedy: null };
}
