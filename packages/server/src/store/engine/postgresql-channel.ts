/**
 * What processes of an installation tell each other through PostgreSQL (NOTIFY and LISTEN). One connection listens, for as
 * long as it stands; one that breaks is opened anew, more and more rarely. Behind a pooler that lends connections by the
 * transaction nobody can listen: PostgreSQL's own address is needed for that.
 */
import pg from 'pg'
import { sleep } from '../../lib/clock.ts'
import { RepeatedFailure } from '../../lib/repeated-failure.ts'
import type { Channel } from './database.ts'
import { openSession, type Pooling } from './postgresql-session.ts'

const name = 'waypost'
const rests = { first: 250, most: 30_000 }

interface ChannelOptions {
  settings: pg.ClientConfig
  pooling: Pooling
  tell(text: string): Promise<void>
  /** Hears why nobody can listen. */
  onRefused(): void
}

/** The statement that tells; what is told is short and has no quotes. */
export const telling = (text: string): string => `select pg_notify('${name}', '${text}')`

export function openChannel({ settings, pooling, tell, onRefused }: ChannelOptions): Channel {
  return {
    tell,
    listen(heard, began) {
      const ending = new AbortController()
      let isListening = false
      const listenOnce = async (): Promise<'pooled' | 'ended'> => {
        const client = new pg.Client({ ...settings, keepAlive: true })
        const ended = new Promise<void>((resolve) => {
          client.once('end', resolve)
          client.on('error', () => resolve())
          ending.signal.addEventListener('abort', () => resolve(), { once: true })
        })
        client.on('notification', ({ payload }) => heard(payload ?? ''))
        try {
          await client.connect()
          if (!(await openSession(client, pooling))) return 'pooled'
          await client.query(`listen ${name}`)
          isListening = true
          began()
          await ended
          return 'ended'
        } finally {
          isListening = false
          await client.end().catch(() => undefined)
        }
      }
      const listening = async (): Promise<void> => {
        const failure = new RepeatedFailure(rests)
        while (!ending.signal.aborted) {
          const end = await listenOnce().catch(() => undefined)
          if (end === 'pooled') return onRefused()
          if (end === 'ended') failure.succeeded()
          else failure.failed()
          await sleep(failure.rest || rests.first, ending.signal)
        }
      }
      const over = listening()
      return {
        isListening: () => isListening,
        async [Symbol.asyncDispose]() {
          ending.abort()
          await over
        },
      }
    },
  }
}
