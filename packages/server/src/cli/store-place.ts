/** The location of the store, the error if there is none, the store alone, without the services, and its key. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { keyRingFromFile, keyRingFromText } from '@waypost/platform/crypto/key-ring'
import { createSecrets } from '@waypost/platform/crypto/secrets'
import { createLog } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { NoInstallation } from '@waypost/store/engine/no-installation'
import { openDatabase } from '@waypost/store/engine/open'
import { keyCheckContext, keyFileOf } from '../applications/secret-key.ts'
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

/** Throws if the key does not open what the store has sealed with it. */
export function tryKey(config: Config, secretKey: string | undefined, sealed: string): void {
  const ring = secretKey === undefined ? keyRingFromFile(keyFileOf(config)) : keyRingFromText(secretKey)
  createSecrets(ring).open(sealed, keyCheckContext)
}
