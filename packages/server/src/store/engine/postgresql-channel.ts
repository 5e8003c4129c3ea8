/**
 * Messages between the processes of an installation, through NOTIFY and LISTEN of PostgreSQL. One connection listens.
 * If it breaks, it is opened again, with growing delays. LISTEN does not work behind a pooler that assigns
 * connections per transaction; then PostgreSQL's own address is required (`directUrl`).
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
  /** Called if listening is impossible behind the pooler. */
  onRefused(): void
}

/** The statement that sends a message. The text is short and contains no quotes. */
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
          if (!(await openSession(client, pooling)).isOwn) return 'pooled'
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
