/**
 * Messages between the processes of an installation, through NOTIFY and LISTEN of PostgreSQL. One connection listens.
 * If it breaks, it is opened again, with growing delays. LISTEN does not work behind a pooler that assigns
 * connections per transaction; then PostgreSQL's own address is required (`directUrl`).
 */
import { sleep } from '@waypost/platform/clock'
import { RepeatedFailure } from '@waypost/platform/repeated-failure'
import type { Channel } from './database.ts'
import { ServerConnection, type Servers } from './postgresql-servers.ts'
import { openSession, type Pooling } from './postgresql-session.ts'
import { askPlain } from './postgresql-statements.ts'

const name = 'waypost'
const rests = { first: 250, max: 30_000 }
interface ChannelOptions {
  servers: Servers
  /** The interval of a statement on the listening connection, if no other connection shows that its server is gone. */
  checkEveryMs?: number | undefined
  pooling: Pooling
  tell(text: string): Promise<void>
  /** Called if listening is impossible behind the pooler. */
  onRefused(): void
}

/** The statement that sends a message. The text is short and contains no quotes. */
export const telling = (text: string): string => `select pg_notify('${name}', '${text}')`

export function openChannel({ servers, checkEveryMs, pooling, tell, onRefused }: ChannelOptions): Channel {
  return {
    tell,
    listen(heard, began) {
      const ending = new AbortController()
      let isListening = false
      const listenOnce = async (): Promise<'pooled' | 'standby' | 'ended'> => {
        const server = await servers.find()
        const client = new ServerConnection(server)
        let check: NodeJS.Timeout | undefined
        const ended = new Promise<void>((resolve) => {
          client.once('end', resolve)
          client.on('error', () => resolve())
          ending.signal.addEventListener('abort', () => resolve(), { once: true })
        })
        client.on('notification', ({ payload }) => heard(payload ?? ''))
        try {
          await client.connect()
          servers.track(client)
          const { isOwn, isStandby } = await openSession(client, pooling)
          if (!isOwn) return 'pooled'
          client.isOwn = true
          // Nobody can notify on a standby.
          if (isStandby) return 'standby'
          await askPlain(client, `listen ${name}`)
          isListening = true
          began()
          const ask = (): void => void askPlain(client, 'select 1').catch(() => undefined)
          if (checkEveryMs !== undefined) check = setInterval(ask, checkEveryMs).unref()
          await ended
          return 'ended'
        } catch (error) {
          servers.lost(server)
          throw error
        } finally {
          clearInterval(check)
          isListening = false
          await client.close()
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
