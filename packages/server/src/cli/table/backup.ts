/** `waypost backup` and `waypost restore`. Unlike other commands, they do not migrate the store. */
import type { Noun } from '../program/command.ts'

const module = () => import('../backup.ts')

export const backup: Noun = {
  summary: 'Copy an SQLite store while the service runs',
  own: {
    summary: 'Copy an SQLite store while the service runs; the copy does not contain the key',
    words: [
      {
        name: 'FILE|FOLDER',
        summary: 'the new file, or a folder for a file named by the time (default: the current folder)',
        optional: true,
        completes: 'files',
      },
    ],
    examples: {
      'waypost backup /backups/': 'a file such as waypost-2026-11-16T201500Z.db in that folder',
      'waypost backup before-upgrade.db': 'this file, which must not exist yet',
    },
    json: '{"file": "…", "bytes": 4096000, "migrations": 60, "applications": 3, "grants": 42}',
    plain: async () => (await module()).backupCommand,
  },
}

export const restore: Noun = {
  summary: 'Replace the store by a backup',
  own: {
    summary: 'Replace the store by a backup, or only check whether that would work',
    more: 'Stop the service first, except for a check. The key with which the backup was made must be in place.',
    words: [{ name: 'FILE', summary: 'the backup', completes: 'files' }],
    options: {
      check: { summary: 'read all of it and try the key, without changing anything' },
      replace: { summary: 'move the existing store aside and keep it' },
    },
    examples: {
      'waypost restore before-upgrade.db --check': 'whether it can be restored',
      'waypost restore before-upgrade.db --replace': 'replaces the existing store',
    },
    json: '{"restored": "…", "bytes": 4096000, "migrations": 60, "applications": 3, "grants": 42, "former_store": "…"}; with --check {"file": "…", …}',
    plain: async () => (await module()).restoreCommand,
  },
}
