/** Where the store is. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config, ConfigSecrets } from '../config.ts'

/** Whether there is a store: a command that only shows something makes none. */
export const hasStore = ({ dataDir }: Config, { databaseUrl }: ConfigSecrets): boolean =>
  databaseUrl !== undefined || existsSync(path.join(dataDir, 'waypost.db'))
