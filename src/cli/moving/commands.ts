import { Option, type Command } from 'commander';

/** The commands that copy, restore, move or update what is kept. What each does is loaded when it is asked for. */
export function addMovingCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'copy the database to a file, or with --all everything to a folder, while the service may go on; keep the key (master.key) apart from it',
    )
    .argument('<target>', 'where to; must not exist yet')
    .option('--all', 'the database, the files and the state of the sandbox, into a folder')
    .addOption(
      new Option(
        '--with-key',
        'with --all: the key too, so that the folder is all that a restore, or a thief, needs',
      ).implies({ all: true }),
    )
    .action(async (target: string, flags: { all?: true; withKey?: true }) => {
      const { backup } = await import('./backup.js');
      await backup(target, flags);
    });

  program
    .command('restore')
    .description('put a backup that was made with --all into the data folder (DATA_DIR), which must be empty')
    .argument('[folder]', 'the backup')
    .option(
      '--dumped-at <time>',
      'in its place: say of the database of DATABASE_URL, before it is started on, that it was restored from a dump of that time',
    )
    .action(async (folder: string | undefined, flags: { dumpedAt?: string }) => {
      const { restore } = await import('./restore.js');
      await restore(folder, flags);
    });

  program
    .command('move')
    .description(
      'take everything from the data folder to PostgreSQL, or back, while nothing runs on it; an interrupted one goes on',
    )
    .option('--to <address>', 'postgres://user:password@host/database, or folder for DATA_DIR')
    .option('--blobs <place>', 'files too: s3://bucket/prefix, file:///folder, or folder for DATA_DIR')
    .addOption(
      new Option(
        '--lift-mark',
        'let the database of these settings be started on again, which was moved away',
      ).conflicts(['to', 'blobs']),
    )
    .action(async (flags: { to?: string; blobs?: string; liftMark?: true }) => {
      const { move } = await import('./move.js');
      await move(flags);
    });

  program
    .command('migrate')
    .description('bring the database to the schema of this release, and start nothing')
    .action(async () => {
      const { migrate } = await import('./migrate.js');
      await migrate();
    });
}
