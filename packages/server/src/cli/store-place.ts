/** The location of the store, and the error if there is none. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { NoInstallation } from '@waypost/store/engine/no-installation'
import type { Config, ConfigSecrets } from '../config.ts'

/** Whether a store may exist. For PostgreSQL, this is only known after connecting. */
export const hasStore = ({ dataDir }: Config, { databaseUrl }: ConfigSecrets): boolean =>
  databaseUrl !== undefined || existsSync(path.join(dataDir, 'waypost.db'))

/** Fails before anything is created: only `serve` and `dev` create an installation. */
export function needStore(config: Config, secrets: ConfigSecrets): void {
  if (hasStore(config, secrets)) return
  throw new NoInstallation(`${path.join(config.dataDir, 'waypost.db')} does not exist`)
}
