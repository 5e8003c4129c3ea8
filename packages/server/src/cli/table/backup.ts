/** `waypost backup` and `waypost restore`. They do not bring the store to the newest form, as other commands do. */
import type { Noun } from '../program/command.ts'

const module = () => import('../backup.ts')

export const backup: Noun = {
  summary: 'Copy an SQLite store, beside the running service',
  own: {
    summary: 'Copy an SQLite store, beside the running service; the key is not in the copy',
    words: [
      {
        name: 'FILE|FOLDER',
        summary: 'the new file, or a folder for one with the time in its name (default: the folder that you are in)',
        optional: true,
        completes: 'files',
      },
    ],
    examples: [
      { line: 'waypost backup /backups/', what: 'a file such as waypost-2026-11-16T201500Z.db in that folder' },
      { line: 'waypost backup before-upgrade.db', what: 'this file, which must not be there yet' },
    ],
    json: '{"file": "…", "bytes": 4096000, "migrations": 60, "applications": 3, "grants": 42}',
    plain: async () => (await module()).backupCommand,
  },
}

export const restore: Noun = {
  summary: 'Put a backup in the place of the store',
  own: {
    summary: 'Put a backup in the place of the store, or only check that it could be',
    more: 'The service must be stopped, unless it is only checked. The key that the backup was made with must be in its place.',
    words: [{ name: 'FILE', summary: 'the backup', completes: 'files' }],
    options: {
      check: { summary: 'read all of it and try the key, and change nothing' },
      replace: { summary: 'move the store that is there aside, and keep it' },
    },
    examples: [
      { line: 'waypost restore before-upgrade.db --check', what: 'whether it could be restored' },
      { line: 'waypost restore before-upgrade.db --replace', what: 'in the place of the store that is there' },
    ],
    json: '{"restored": "…", "bytes": 4096000, "migrations": 60, "applications": 3, "grants": 42, "former_store": "…"}; with --check {"file": "…", …}',
    plain: async () => (await module()).restoreCommand,
  },
}
