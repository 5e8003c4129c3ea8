/** The location of the store, the error if there is none, and the store alone, without the services. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createLog } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { NoInstallation } from '@waypost/store/engine/no-installation'
import { openDatabase } from '@waypost/store/engine/open'
import type { Config, ConfigSecrets } from '../config.ts'

/** Whether a store may exist. For PostgreSQL, this is only known after connecting. */
export const hasStore = ({ dataDir }: Config, { databaseUrl }: ConfigSecrets): boolean =>
  databaseUrl !== undefined || existsSync(path.join(dataDir, 'waypost.db'))

/** Fails before anything is created: only `serve` and `dev` create an installation. */
export function needStore(config: Config, secrets: ConfigSecrets): void {
  if (hasStore(config, secrets)) return
  throw new NoInstallation(`${path.join(config.dataDir, 'waypost.db')} does not exist`)
}

/** Opens the store without a log, next to a server that may be running. */
export const openStore = (
  { dataDir, postgresql }: Config,
  databaseUrl: string | undefined,
  directUrl?: string,
): Promise<Database> =>
  openDatabase(dataDir, databaseUrl, {
    log: createLog('silent'),
    lock: false,
    postgresql: { ...postgresql, directUrl },
  })
