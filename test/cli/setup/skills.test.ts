import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../surfaces/faces.js';

const NAMES = [
  'bring-a-shop-in',
  'change-many',
  'copy-to-other-shops',
  'list-a-product',
  'prepare-gpsr',
  'why-did-it-fail',
];

async function makeHome(...programs: string[]) {
  const home = await mkdtemp(join(tmpdir(), 'skills-'));
  onTestFinished(() => rm(home, { recursive: true }));
  for (const program of programs) await mkdir(join(home, program));
  const env = { PATH: '', HOME: home, USERPROFILE: home, DATA_DIR: join(home, 'data') };
  return { home, run: (...args: string[]) => runCli(['setup', ...args], env) };
}

it('setup installs the skills in the folders that installed programs read, keeps a foreign skill of the same name, and removes its own', async () => {
  const { home, run } = await makeHome('.claude', '.codex', '.gemini');
  const folders = [
    join(home, '.claude', 'skills'),
    join(home, '.agents', 'skills'),
    join(home, '.gemini', 'skills'),
  ];
  const [claude = '', agents = ''] = folders;
  const own = join(agents, 'change-many', 'SKILL.md');
  await mkdir(join(agents, 'change-many'), { recursive: true });
  await writeFile(own, '---\nname: change-many\ndescription: Mine.\n---\n');

  expect((await run()).stdout).toContain('for Claude Code, Codex, Gemini CLI, run setup --skills.');
  expect(await readdir(agents)).toEqual(['change-many']);

  const { code, stdout } = await run('--skills');
  expect(code).toBe(0);
  expect(stdout).toContain(`Claude Code: 6 skills installed in ${claude}.\n`);
  expect(stdout).toContain(
    `Codex: 5 skills installed in ${agents}. Skipped, since you already have skills with these names: change-many.\n`,
  );
  for (const folder of folders) expect((await readdir(folder)).toSorted()).toEqual(NAMES);
  expect(await readFile(own, 'utf8')).toContain('Mine.');
  expect(await readFile(join(claude, 'change-many', 'SKILL.md'), 'utf8')).toContain('batch_create');
  expect(await readdir(home)).not.toContain('.cursor');

  await writeFile(join(claude, 'prepare-gpsr', 'notes.md'), 'mine');
  expect((await run('--remove')).stdout).toContain(`Claude Code: 6 skills removed from ${claude}.\n`);
  expect(await readdir(claude)).toEqual(['prepare-gpsr']);
  expect(await readdir(join(claude, 'prepare-gpsr'))).toEqual(['notes.md']);
  expect(await readdir(agents)).toEqual(['change-many']);
});

it('setup --client installs and removes the skills of the named clients only', async () => {
  const { home, run } = await makeHome('.claude', '.codex', '.cursor', '.gemini');
  const cursor = join(home, '.cursor', 'skills');
  const others = ['.claude', '.agents', '.gemini'].map((folder) => join(home, folder, 'skills'));
  const listFolders = async () =>
    Promise.all(others.map(async (folder) => (await readdir(folder).catch(() => [])).length));

  expect((await run('--client', 'cursor')).stdout).toContain(
    'for Cursor, run setup --client cursor --skills.',
  );
  await run('--client', 'cursor', '--skills');
  expect((await readdir(cursor)).toSorted()).toEqual(NAMES);
  expect(await listFolders()).toEqual([0, 0, 0]);

  await run('--skills');
  await run('--client', 'cursor', '--remove');
  expect(await readdir(cursor)).toEqual([]);
  expect(await listFolders()).toEqual([6, 6, 6]);
  expect((await run('--client', 'claude-desktop', '--skills')).stderr).toContain(
    'None of the clients in --client reads skills from a folder. Use claude-code or cursor.',
  );
});

it('setup --remove removes the skills of a program that is not an MCP client', async () => {
  const { home, run } = await makeHome('.codex');
  const folder = join(home, '.agents', 'skills');
  await run('--skills');
  expect(await run('--remove')).toMatchObject({
    code: 0,
    stdout: `Codex: 6 skills removed from ${folder}.\n`,
  });
  expect(await readdir(folder)).toEqual([]);
});

it('setup says which programs read skills if none is installed', async () => {
  const { run } = await makeHome();
  expect((await run('--skills')).stderr).toContain(
    'No program that reads skills from a folder is installed. Install Claude Code, Codex, Cursor or Gemini CLI.',
  );
});

it('setup --skills says where Claude Desktop has the same instructions', async () => {
  const { run } = await makeHome();
  const { stdout } = await run('--client', 'claude-desktop,claude-code', '--skills');
  expect(stdout).toContain(
    'Claude Desktop does not read skills from a folder. This server offers it the same instructions as prompts.\n',
  );
  expect((await run('--client', 'claude-code', '--skills')).stdout).not.toContain('Claude Desktop');
});
