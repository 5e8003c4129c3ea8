/** Sending: the ledger, the sender that works on it, and tracking. */
import { type BookingMails, createBookingMails } from '../booking/mail/booking-mails.ts'
import type { Config } from '../config.ts'
import type { Notify } from '../grants/notify.ts'
import type { Sessions } from '../grants/sessions.ts'
import { createComposer } from '../sending/compose/composer.ts'
import { createSending } from '../sending/create-sending.ts'
import { createSender, type Sender } from '../sending/delivery/sender.ts'
import { type AccountMails, createAccountMails } from '../sending/event-mail/account-mail.ts'
import { createLedger, type LedgerOptions } from '../sending/ledger/ledger.ts'
import { keepSentMetadata } from '../sending/ledger/sent-metadata.ts'
import { createReplyMailbox, type ReplyMailbox, type ReplyMailboxOptions } from '../sending/replies/reply-mailbox.ts'
import type { Sending } from '../sending/sending.ts'
import { createTrackingPages, type TrackingPages } from '../sending/tracking/pages.ts'
import { createTrackingTokens } from '../sending/tracking/tokens.ts'
import { createVisitCounter } from '../sending/tracking/visit-counter.ts'
import { createUploads, type Uploads } from '../sending/uploads/uploads.ts'
import type { BuildOptions } from './services.ts'
import type { Storage } from './storage.ts'
import type { Threads } from './threads.ts'

interface SendingParts {
  config: Config
  overrides: BuildOptions
  sessions: Sessions
  threads: Threads
  notify: Notify
  nodeId: string
  settled: LedgerOptions['settled']
  /** The address of the service's own mail identity, if it has one. */
  mailAddress: string | undefined
}

export function openSending(
  stack: AsyncDisposableStack,
  { database, signals, clock, log, keyRing, secrets, seals, room }: Storage,
  { config, overrides, sessions, threads, notify, nodeId, settled, mailAddress }: SendingParts,
): {
  tracking: TrackingPages
  sender: Sender
  sending: Sending
  uploads: Uploads
  accountMails: AccountMails
  bookingMails: BookingMails
} {
  const visits = stack.use(createVisitCounter({ database, log, notify, seals }))
  const tracking = createTrackingPages({
    queries: database,
    seals,
    clock,
    tokens: createTrackingTokens(keyRing),
    book: visits,
  })
  const uploads = createUploads({ database, seals, clock, nodeId, checkRoom: room.checkRoom })
  const ledger = createLedger({
    ...{ database, clock, secrets, seals, notify, nodeId, onSent: keepSentMetadata },
    ...(settled ? { settled } : {}),
  })
  const sender = stack.use(
    createSender({
      ...{
        database,
        clock,
        log,
        sessions,
        ledger,
        seals,
        nodeId,
        onUnknown: config.onUnknown,
        maxRest: signals.maxRest,
      },
      ...overrides.senderOptions,
    }),
  )
  const sending =
    overrides.sending ??
    createSending({
      ...{ database, clock, log, sessions, parse: threads.parse, keyRing, ledger, sender, seals },
      composer: createComposer(threads.composing),
      baseUrl: config.baseUrl,
    })
  const accountMails = createAccountMails({ database, clock, log, seals, sessions, ledger, sender })
  const bookingMails = createBookingMails({
    ...{ database, clock, log, seals, sessions, ledger, sender, mailAddress, notify },
    ...{ baseUrl: config.baseUrl, mailPerDay: config.mailPerDay },
  })
  return { tracking, sender, sending, uploads, accountMails, bookingMails }
}

/** The mailbox of the service's own identity, where the settings name one. */
export const openReplies = (
  stack: AsyncDisposableStack,
  url: string | undefined,
  options: Omit<ReplyMailboxOptions, 'url'>,
): ReplyMailbox | undefined => (url === undefined ? undefined : stack.use(createReplyMailbox({ url, ...options })))
