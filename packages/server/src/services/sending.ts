/** What sends: the ledger, the sender that works on it, tracking, and the threads that compose. */
import type { Config } from '../config.ts'
import type { Notify } from '../grants/notify.ts'
import type { Sessions } from '../grants/sessions.ts'
import { createParsePool, type ParsePool } from '../lib/parse-pool.ts'
import { createComposer } from '../sending/composer.ts'
import { createSending } from '../sending/create-sending.ts'
import { createLedger } from '../sending/ledger.ts'
import { createSender, type Sender } from '../sending/sender.ts'
import type { Sending } from '../sending/sending.ts'
import { keepSentMetadata } from '../sending/sent-metadata.ts'
import { createTrackingPages, type TrackingPages } from '../sending/tracking-pages.ts'
import { createTrackingTokens } from '../sending/tracking-tokens.ts'
import { createVisitCounter } from '../sending/visit-counter.ts'
import type { BuildOptions } from './services.ts'
import type { Storage } from './storage.ts'

/** For one message; a request has more. */
const composingMs = 20_000

interface SendingParts {
  config: Config
  overrides: BuildOptions
  sessions: Sessions
  parse: ParsePool
  notify: Notify
  nodeId: string
}

export function openSending(
  stack: AsyncDisposableStack,
  { database, clock, log, keyRing, secrets, seals }: Storage,
  { config, overrides, sessions, parse, notify, nodeId }: SendingParts,
): { tracking: TrackingPages; sender: Sender; sending: Sending; composing: ParsePool } {
  // Of our own clients' mail: what strangers wrote does not hold it up, and it may take longer.
  const composing = stack.use(
    createParsePool({
      module: new URL('../sending/compose-worker.ts', import.meta.url),
      threads: 2,
      deadlineMs: composingMs,
      memoryMb: 512,
    }),
  )
  const visits = stack.use(createVisitCounter({ database, log, notify, seals }))
  const tracking = createTrackingPages({
    queries: database,
    seals,
    clock,
    tokens: createTrackingTokens(keyRing),
    book: visits,
  })
  const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId, onSent: keepSentMetadata })
  const sender = stack.use(
    createSender({
      ...{ database, clock, log, sessions, ledger, seals, nodeId, onUnknown: config.onUnknown },
      ...overrides.senderOptions,
    }),
  )
  const sending =
    overrides.sending ??
    createSending({
      ...{ database, clock, log, sessions, parse, keyRing, ledger, sender, seals },
      composer: createComposer(composing),
      baseUrl: config.baseUrl,
    })
  return { tracking, sender, sending, composing }
}
