/**
 * The names of the applications for shell completion. Reads an existing store only; it creates nothing and reports no
 * errors.
 */

import { createLog } from '@waypost/platform/log'
import { openDatabase } from '@waypost/store/engine/open'
import { listApplications } from '@waypost/store/tables/applications/applications'
import { readConfig } from '../config.ts'
import type { PlainRun } from './program/command.ts'
import type { Terminal } from './program/output.ts'
import { hasStore } from './store-place.ts'

async function namesIn(env: Terminal['env']): Promise<string[]> {
  const { config, secrets } = readConfig(env)
  if (!hasStore(config, secrets)) return []
  await using database = await openDatabase(config.dataDir, secrets.databaseUrl, {
    log: createLog('silent'),
    lock: false,
    postgresql: config.postgresql,
  })
  return (await listApplications(database)).map((row) => String(JSON.parse(row.branding).name))
}

export const completionNames: PlainRun = async ({ terminal, output }) => {
  const names = await namesIn(terminal.env).catch(() => [])
  // Names are free text, so names with control characters are left out.
  const plain = names.filter((name) => !/\p{C}/u.test(name))
  if (output.json) output.write(JSON.stringify(plain))
  else for (const name of plain) output.write(name)
  return 0
}
