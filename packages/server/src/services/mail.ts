/** Outgoing mail: the ledger, the sender that works on it, tracking, and replies. */

import type { Notify } from '../grants/notify.ts'
import { createComposer } from '../sending/compose/composer.ts'
import { createSending } from '../sending/create-sending.ts'
import { createSender, type Sender } from '../sending/delivery/sender.ts'
import { type AccountMails, createAccountMails } from '../sending/event-mail/account-mail.ts'
import { createLedger, keepSentMetadata, type Ledger } from '../sending/ledger/ledger.ts'
import { createReplyMailbox, type ReplyMailbox } from '../sending/replies/reply-mailbox.ts'
import type { Sending } from '../sending/sending.ts'
import type { SystemMail } from '../sending/system-mail.ts'
import { createTrackingPages, type TrackingPages } from '../sending/tracking/pages.ts'
import { createTrackingTokens } from '../sending/tracking/tokens.ts'
import { createVisitCounter } from '../sending/tracking/visit-counter.ts'
import { createUploads, type Uploads } from '../sending/uploads/uploads.ts'
import type { Accounts } from './accounts.ts'
import type { Given } from './build-options.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'
import type { Threads } from './threads.ts'

export interface Mail {
  /** The service's own mail identity, where the settings name one. */
  identity: SystemMail | undefined
  /** The mailbox that receives replies to its invitations, where the settings name one. */
  replies: ReplyMailbox | undefined
  /** Answers requests for tracked images and links. */
  tracking: TrackingPages
  /** Sends messages, now or at their scheduled time. */
  sending: Sending
  /** The record of outgoing messages, which prevents a second send. */
  ledger: Ledger
  /** Processes the send ledger. */
  sender: Sender
  /** Large files that messages refer to. */
  uploads: Uploads
  /** Mails about events, sent by accounts. */
  accountMails: AccountMails
  /** Threads that parse and compose messages. */
  threads: Threads
}

interface MailParts extends Pick<Accounts, 'sessions'> {
  storage: Storage
  telemetry: Telemetry
  identity: SystemMail | undefined
  threads: Threads
  notify: Notify
  nodeId: string
}

export function openMail(
  stack: AsyncDisposableStack,
  { config, configSecrets, overrides }: Given,
  parts: MailParts,
): Mail {
  const { storage, sessions, threads, identity, notify, nodeId } = parts
  const { database, signals, clock, log, keyRing, secrets, seals, room } = storage
  const { settled } = parts.telemetry
  const ledger = createLedger({ database, clock, secrets, seals, notify, nodeId, onSent: keepSentMetadata, settled })
  const { onUnknown, baseUrl, pollSeconds } = config
  const working = { database, clock, log, sessions, ledger, seals }
  const { maxRest } = signals
  const sender = stack.use(createSender({ ...working, nodeId, onUnknown, maxRest, ...overrides.senderOptions }))
  const composer = createComposer(threads.composing)
  const inbox = configSecrets.mail?.inbox
  return {
    identity,
    replies:
      inbox === undefined
        ? undefined
        : stack.use(createReplyMailbox({ url: inbox, database, sessions, clock, log, nodeId, pollSeconds })),
    tracking: createTrackingPages({
      queries: database,
      seals,
      clock,
      tokens: createTrackingTokens(keyRing),
      book: stack.use(createVisitCounter({ database, log, notify, seals })),
    }),
    sending:
      overrides.sending ?? createSending({ ...working, sender, parse: threads.parse, keyRing, composer, baseUrl }),
    ledger,
    sender,
    uploads: createUploads({ database, seals, clock, nodeId, checkRoom: room.checkRoom }),
    accountMails: createAccountMails({ ...working, sender }),
    threads,
  }
}
