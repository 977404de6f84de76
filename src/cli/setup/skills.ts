import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import type { UserFolders } from '../../config/user_folders.js';
import type { Client } from './clients.js';

/** An agent that reads skills from a folder of its user. */
type SkillReader = {
  /** Its id as an MCP client. */
  client?: string;
  name: string;
  /** A path that exists if the agent is installed. */
  marker: string;
  folder: string;
};

const SKILLS = new URL('../../skills/', import.meta.url);
/** A line in the front matter of all our skills, in every version. */
const OURS = /^compatibility: .*\blisting-service\b/m;

/**
 * Returns the installed agents. With `clients`, returns those in the list whether or not they are installed.
 * Claude Desktop and VS Code read no such folder.
 */
export function listSkillReaders(
  { home, claude_code, join }: UserFolders,
  clients?: readonly Client[],
): SkillReader[] {
  const claude = claude_code === home ? join(home, '.claude') : claude_code;
  const readers: SkillReader[] = [
    { client: 'claude-code', name: 'Claude Code', marker: claude, folder: join(claude, 'skills') },
    { name: 'Codex', marker: join(home, '.codex'), folder: join(home, '.agents', 'skills') },
    {
      client: 'cursor',
      name: 'Cursor',
      marker: join(home, '.cursor'),
      folder: join(home, '.cursor', 'skills'),
    },
    { name: 'Gemini CLI', marker: join(home, '.gemini'), folder: join(home, '.gemini', 'skills') },
  ];
  return readers.filter(({ client, marker }) =>
    clients ? clients.some(({ id }) => id === client) : existsSync(marker),
  );
}

/**
 * Writes the skills, but does not overwrite a skill with the same name that is not ours. Returns a sentence.
 */
export async function installSkills({ folder }: SkillReader, { join }: UserFolders): Promise<string> {
  const kept: string[] = [];
  const names = await readdir(SKILLS);
  for (const name of names) {
    const file = join(folder, name, 'SKILL.md');
    const found = await read(file);
    if (found !== undefined && !OURS.test(found)) {
      kept.push(name);
      continue;
    }
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(file, await readFile(new URL(`${name}/SKILL.md`, SKILLS)));
  }
  const installed = names.length - kept.length;
  return [
    ...(installed > 0 ? [`${count(installed)} installed in ${folder}.`] : []),
    ...(kept.length > 0
      ? [`Skipped, since you already have skills with these names: ${kept.join(', ')}.`]
      : []),
  ].join(' ');
}

/** Removes our skills. Returns a sentence, or undefined if there are none. */
export async function removeSkills(
  { folder }: SkillReader,
  { join }: UserFolders,
): Promise<string | undefined> {
  let removed = 0;
  for (const name of await readdir(SKILLS)) {
    const file = join(folder, name, 'SKILL.md');
    if (!OURS.test((await read(file)) ?? '')) continue;
    await rm(file);
    // The folder stays if there is anything else in it.
    await rmdir(join(folder, name)).catch(() => undefined);
    removed += 1;
  }
  return removed === 0 ? undefined : `${count(removed)} removed from ${folder}.`;
}

function count(skills: number): string {
  return skills === 1 ? '1 skill' : `${skills} skills`;
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  });
}
