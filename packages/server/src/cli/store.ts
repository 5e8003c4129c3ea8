import { stat } from 'node:fs/promises'
import path from 'node:path'
import { sleep } from '@waypost/platform/clock'
import { dropKeys, prependKey } from '@waypost/platform/crypto/key-ring'
import { lockForServing } from '@waypost/store/engine/server-lock'
import { countByKey, renewDataKey, rewrapAll } from '../applications/secret-key.ts'
import { noteCommand } from './audit.ts'
import type { StoreRun } from './program/command.ts'
import { printObject } from './program/output.ts'

export const dbCompact: StoreRun = async ({ storage: { database }, config }, _args, output) => {
  if (database.engine === 'postgresql') {
    printObject(output, { store: database.engine, bytes_before: null, bytes_after: null })
    output.progress('PostgreSQL frees space itself: expired days are dropped as whole partitions.')
    return
  }
  const file = path.join(config.dataDir, 'waypost.db')
  // The file is rewritten, and a server would have to wait for all of it.
  using _alone = lockForServing(file)
  const sizeOf = async (): Promise<number> => (await stat(file)).size
  const before = await sizeOf()
  await database.rewrite()
  printObject(output, { store: database.engine, bytes_before: before, bytes_after: await sizeOf() })
}

/** A running server may encrypt with the previous newest key for up to a second after a new one was added. */
const learningMs = 2_500
/** A running request may write back a value under the old key. This is longer than any request takes. */
const settlingMs = 1_000
/** Maximum number of rounds. If servers keep using an old key because they lack the new one, it would never end. */
const maxRounds = 5

export const secretsRotate: StoreRun = async (services, _args, output) => {
  const { database, secrets, keyRing, clock } = services.storage
  const { file } = keyRing
  if (file !== undefined) {
    if (keyRing.ids().length === 1) prependKey(file)
    // Also after an interruption, because the key may have been added just before.
    output.progress('There is a new key. Waiting until running servers use it.')
    await sleep(learningMs)
  }
  const [newest = '', ...old] = keyRing.ids()
  // Bulk data stays under its data key, which is rewrapped; new data uses a new data key.
  if (old.length > 0) await renewDataKey(database, secrets, clock.now())
  let rewrapped = 0
  for (let round = 0; round < maxRounds; round++) {
    const pass = await rewrapAll(database, services.storage, (done) => output.progress(`${done.rewrapped} values done`))
    rewrapped += pass.rewrapped
    if (pass.rewrapped === 0) break
    await sleep(settlingMs)
  }
  const left = [...(await countByKey(database, secrets))].filter(([id]) => id !== newest)
  await noteCommand(database, services, { action: 'secrets.rotate' })
  const dropped = left.length === 0 && file !== undefined ? dropKeys(file, old) : []
  printObject(output, {
    key: newest,
    rewrapped,
    under_old_keys: left.reduce((sum, [, count]) => sum + count, 0),
    dropped: dropped.length,
  })
  if (file === undefined && old.length === 0) {
    output.progress(
      'To change the key, set WAYPOST_SECRET_KEY to "new,old" (openssl rand -base64 32) and run this again.',
    )
  } else if (file === undefined && left.length === 0) {
    output.progress('Nothing uses the old keys anymore. Remove them from WAYPOST_SECRET_KEY on every node.')
  }
}
