import { countByKey, rewrapAll } from '../applications/rotation.ts'
import { sleep } from '../lib/clock.ts'
import { dropKeys, prependKey } from '../lib/key-ring.ts'
import { keyFileOf } from '../services.ts'
import type { Command } from './command.ts'
import { printObject } from './output.ts'

export const dbMigrate: Command = {
  usage: 'db migrate',
  summary: 'Bring the store to the newest form; the server does so at every start',
  async run({ database, migrated }, _args, output) {
    printObject(output, {
      store: database.engine,
      applied: migrated.length > 0 ? migrated.join(', ') : 'nothing to do',
    })
  },
}

/** A running server goes on sealing under the former newest key for up to a second after a new one was added. */
const learningMs = 2_500

export const secretsRotate: Command = {
  usage: 'secrets rotate',
  summary: 'Put every stored secret under a new key; can be interrupted and run again',
  async run(services, _args, output) {
    const { database, secrets, keyRing, config } = services
    const fromSettings = process.env.WAYPOST_SECRET_KEY !== undefined && process.env.WAYPOST_SECRET_KEY !== ''
    const file = keyFileOf(config)
    if (!fromSettings && keyRing.ids().length === 1) {
      prependKey(file)
      output.progress('A new key was added; waiting for running servers to learn it.')
      await sleep(learningMs)
    }
    const [newest = '', ...old] = keyRing.ids()
    const first = await rewrapAll(database, services, ({ rewrapped }) => output.progress(`${rewrapped} values done`))
    // What was sealed under the old key while the first pass ran.
    const second = await rewrapAll(database, services, () => undefined)
    const left = [...(await countByKey(database, secrets))].filter(([id]) => id !== newest)
    const dropped = left.length === 0 && !fromSettings ? dropKeys(file, old) : []
    printObject(output, {
      key: newest,
      rewrapped: first.rewrapped + second.rewrapped,
      under_old_keys: left.reduce((sum, [, count]) => sum + count, 0),
      dropped: dropped.length,
    })
    if (fromSettings && old.length === 0) {
      output.progress(
        'To change the key, set WAYPOST_SECRET_KEY to "new,old" (openssl rand -base64 32) and run this again.',
      )
    } else if (fromSettings && left.length === 0) {
      output.progress('Nothing is under the old keys: remove them from WAYPOST_SECRET_KEY on every node.')
    }
  },
}
