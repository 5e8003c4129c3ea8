/** Where the store is, and what a command says when there is none. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config, ConfigSecrets } from '../config.ts'
import { NoInstallation } from '../store/engine/no-installation.ts'

/** Whether there may be a store. Only opening a PostgreSQL shows whether it holds one. */
export const hasStore = ({ dataDir }: Config, { databaseUrl }: ConfigSecrets): boolean =>
  databaseUrl !== undefined || existsSync(path.join(dataDir, 'waypost.db'))

/** Refuses before anything is created: only `serve` and `dev` create an installation. */
export function needStore(config: Config, secrets: ConfigSecrets): void {
  if (hasStore(config, secrets)) return
  throw new NoInstallation(`${path.join(config.dataDir, 'waypost.db')} does not exist`)
}
