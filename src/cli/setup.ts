import { sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getUserFolders } from '../config.js';
import type { UserFolders } from '../config/user_folders.js';
import { print, say } from './output.js';
import { isInstalled, listClients, pickClients, type Client } from './setup/clients.js';
import { readConfigFile, replaceConfigFile } from './setup/config_file.js';
import { dropMark, isMoreThanJson, putEntry, readEntry, removeEntry } from './setup/edit.js';
import { buildEntry, CLI, describeLeftOut, describeProxyLeftOut, SERVER_NAME } from './setup/entry.js';
import { installSkills, listSkillReaders, removeSkills } from './setup/skills.js';
import { cleanBackups, keepOldSecrets, keepSecretsHere, takeSecretsOut } from './setup/secrets.js';

type Flags = { client?: string; print?: true; remove?: true; skills?: true };

/**
 * Configures the clients on this computer to start this service. Exit code 1 if one of them could not be
 * configured.
 */
export async function setup(flags: Flags): Promise<void> {
  const folders = getUserFolders();
  const clients = listClients(folders);
  const named = flags.client === undefined ? undefined : pickClients(clients, flags.client);
  if (flags.print) {
    for (const client of named ?? clients) printEntry(client);
    const left_out = describeLeftOut();
    if (left_out !== undefined) say(left_out);
    sayProxiesLeftOut();
    return;
  }
  const chosen = named ?? clients.filter(isInstalled);
  const hasSkills = flags.remove && listSkillReaders(folders).length > 0;
  if (chosen.length === 0 && !flags.skills && !hasSkills) {
    throw new Error(
      `Found none of ${clients.map(({ name }) => name).join(', ')} on this computer. Use --client to configure one anyway, or --print to see the configuration.`,
    );
  }
  for (const client of chosen) {
    try {
      print(`${client.name}: ${await (flags.remove ? remove(client) : write(client))}`);
    } catch (error) {
      say(`${client.name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
  await setUpSkills(folders, flags, named);
  if (flags.skills && chosen.some(({ id }) => id === 'claude-desktop')) {
    print(
      'Claude Desktop does not read skills from a folder. This server offers it the same instructions as prompts.',
    );
  }
  if (!flags.remove) sayProxiesLeftOut();
  if (!flags.remove && CLI.split(sep).includes('_npx')) {
    say(
      'This copy is in the cache of npx, which npm may delete. To keep one, install it with npm install -g.',
    );
  }
}

async function setUpSkills(
  folders: UserFolders,
  flags: Flags,
  named: readonly Client[] | undefined,
): Promise<void> {
  const readers = listSkillReaders(folders, named);
  for (const reader of flags.skills || flags.remove ? readers : []) {
    const outcome = await (flags.remove ? removeSkills(reader, folders) : installSkills(reader, folders));
    if (outcome !== undefined) print(`${reader.name}: ${outcome}`);
  }
  if (flags.remove) return;
  if (!flags.skills && readers.length > 0) {
    const names = readers.map(({ name }) => name).join(', ');
    const command = `setup ${flags.client === undefined ? '' : `--client ${flags.client} `}--skills`;
    print(`To also install skills (how to list, change and copy products) for ${names}, run ${command}.`);
  } else if (flags.skills && readers.length === 0) {
    say(
      named
        ? 'None of the clients in --client reads skills from a folder. Use claude-code or cursor.'
        : 'No program that reads skills from a folder is installed. Install Claude Code, Codex, Cursor or Gemini CLI.',
    );
  }
}

function sayProxiesLeftOut(): void {
  const left_out = describeProxyLeftOut();
  if (left_out !== undefined) say(left_out);
}

function printEntry(client: Client): void {
  const text = JSON.stringify({ [client.servers]: { [SERVER_NAME]: buildEntry(client) } }, undefined, 2);
  print(`${client.name}, in ${client.file}:\n\n${text}\n`);
}

async function write(client: Client): Promise<string> {
  const { file, servers } = client;
  const there = await readConfigFile(file);
  const old = edit(client, () => readEntry(there ?? '', servers, SERVER_NAME));
  warnOfComments(client, there ?? '');
  const entry = buildEntry(client, { old });
  await keepSecretsHere(entry);
  await keepOldSecrets(client, old, entry);
  await cleanBackups(client);
  const hasMark = there !== undefined && there !== dropMark(there);
  if (isDeepStrictEqual(entry, old) && !hasMark) return `${file} is already up to date.`;
  const text = edit(client, () => putEntry(there ?? '', servers, SERVER_NAME, entry));
  const backup = await replaceConfigFile(file, { old: there, text, kept: takeSecretsOut(client, there) });
  return `${file} was updated${describeBackup(backup)}. ${describeRestart(client)}`;
}

async function remove(client: Client): Promise<string> {
  const old = await readConfigFile(client.file);
  const text = edit(client, () => removeEntry(old ?? '', client.servers, SERVER_NAME));
  await cleanBackups(client);
  if (old === undefined || text === old) return `${client.file} has no entry for this service.`;
  const entry = readEntry(old, client.servers, SERVER_NAME);
  await keepOldSecrets(client, entry, entry);
  const backup = await replaceConfigFile(client.file, { old, text, kept: takeSecretsOut(client, old) });
  return `${client.file} no longer has an entry for this service${describeBackup(backup)}. ${describeRestart(client)}`;
}

/** Most clients keep running after their window is closed, with the old configuration. */
function describeRestart({ name }: Client): string {
  return `Quit ${name} completely, and start it again.`;
}

function describeBackup(backup: string | undefined): string {
  return backup === undefined ? '' : `; the previous version is in ${backup}`;
}

/** The comments are kept, but they would keep the client from reading the file. */
function warnOfComments({ name, file, is_strict }: Client, text: string): void {
  if (!is_strict || text.trim() === '' || !isMoreThanJson(text)) return;
  say(
    `${name}: ${file} has comments or trailing commas, which ${name} cannot read: it starts no server until you remove them.`,
  );
}

/** A file that cannot be parsed is not touched. */
function edit<Result>({ file }: Client, change: () => Result): Result {
  try {
    return change();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${file} was not changed: ${reason}. Fix it, or add the output of --print manually.`, {
      cause,
    });
  }
}
