/**
 * Mails about events that an account sends in its own name, through its own mail server and the send ledger. A mail
 * about a change is recorded as a waiting job before the change is made at the provider, and is released afterwards.
 * If the node dies in between, or the outcome of the change is unknown, the provider is queried later. The mail is
 * sent once if the change was made, and never otherwise.
 */
import type { Invitation } from '@waypost/formats/itip/invitations'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { AccountMail } from '@waypost/providers/io'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { readSend } from '@waypost/store/tables/mail/sends'
import { changeOutbox, hastenOutbox, withdrawOutbox } from '@waypost/store/tables/notifications/outbox'
import { openSealedJob, queueSealed } from '../../grants/queued-mail.ts'
import type { Sessions } from '../../grants/sessions.ts'
import { JobDeferred, type JobHandlers } from '../../outbox/runner.ts'
import type { Sender } from '../delivery/sender.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { accountOf, newMessageId, sendIdOf } from '../ledger/send-keys.ts'
import { composeInvitation } from './invitation-mail.ts'

export interface AccountMailOptions {
  database: Database
  clock: Clock
  log: Log
  seals: DataSeals
  sessions: Sessions
  ledger: Ledger
  sender: Pick<Sender, 'acceptAndSend' | 'wake'>
}

export interface AccountMails {
  of(record: GrantRecord, signal: () => AbortSignal): AccountMail
  /** Handlers of the waiting jobs. */
  handlers: JobHandlers<typeof heldKind | typeof readyKind>
  /** For the only node of a store, at its start: no other process will report the outcome of the changes. */
  abandon(): Promise<void>
}

/** Job kinds: mails whose change may or may not have been made, and mails that are released. */
const heldKind = 'invitations.check'
const readyKind = 'invitations.send'

/** A change at a provider has succeeded or failed by then. */
const heldMs = 120_000
/** Time for a server to finish a change after the request for it was given up. */
const abandonedMs = 3_000
/** Time between checks whether the preceding mail was sent. */
const orderMs = 2_000

/** Mails composed and recorded in one batch. */
const batch = 20

interface HeldContent {
  /** Guests with the same content share it: events can be long and have many guests. */
  reported: readonly { mail: Omit<Invitation, 'to'>; to: readonly string[] }[]
  /** Identifies the change at the provider. */
  mark?: string
  /** The message that must be sent first. */
  after?: string
}

const contentOf = (mails: readonly Invitation[], more: Pick<HeldContent, 'mark' | 'after'>): HeldContent => {
  const reported = new Map<string, { mail: Omit<Invitation, 'to'>; to: string[] }>()
  for (const { to, ...mail } of mails) {
    const key = JSON.stringify(mail)
    const same = reported.get(key) ?? { mail, to: [] }
    same.to.push(to)
    reported.set(key, same)
  }
  return { reported: [...reported.values()], ...more }
}

const mailsIn = ({ reported }: HeldContent): Invitation[] =>
  reported.flatMap(({ mail, to }) => to.map((one) => ({ ...mail, to: one })))

type Job = Awaited<ReturnType<typeof openSealedJob<HeldContent>>>

export function createAccountMails(options: AccountMailOptions): AccountMails {
  const { database, clock, seals } = options
  return {
    of: (record, signal) => ({
      async hold(mails, mark) {
        const id = newId()
        const now = clock.now()
        const at = { applicationId: record.applicationId, grantId: record.grant.id, id, kind: heldKind }
        await queueSealed(database, seals, { ...at, content: contentOf(mails, { mark }), dueAt: now + heldMs, now })
        return {
          async release() {
            await changeOutbox(database, at, { kind: readyKind, dueAt: clock.now() })
          },
          async drop() {
            await withdrawOutbox(database, at)
          },
        }
      },
      send: (mail) => sendNow(options, record, mail, signal()),
    }),
    async abandon() {
      await hastenOutbox(database, heldKind, clock.now() + abandonedMs)
    },
    handlers: {
      [readyKind]: async (payload) => writeDown(options, await openSealedJob<HeldContent>(seals, payload)),
      [heldKind]: async (payload, signal) => {
        const job = await openSealedJob<HeldContent>(seals, payload)
        if (await isMade(options, job, signal)) await writeDown(options, job)
      },
    },
  }
}

/** Whether the change behind held mails was made. */
async function isMade(
  { database, sessions, log }: AccountMailOptions,
  job: Job,
  signal: AbortSignal,
): Promise<boolean> {
  const record = await getGrant(database, job.applicationId, job.grantId)
  if (!record) return false
  const provider = sessions.providerOf(record, 'events.update')
  if (!provider.itip) return false
  const use = { queries: database, signal: () => signal, responseHeaders: {} }
  const session = sessions.open(sessions.usable(record), 'events.update', use)
  try {
    const made = await provider.itip.isMade(session, job.content.mark ?? '')
    log.warn({ grant_id: job.grantId, made }, 'a change of an event was interrupted; its mails are sent if it was made')
    return made
  } catch (error) {
    throw await sessions.judge(record, error)
  }
}

/** Writes mails into the ledger. Their ids derive from the job, so a repeated job adds no duplicates. */
async function writeDown(options: AccountMailOptions, job: Job): Promise<void> {
  const { database, seals, sender } = options
  const { after } = job.content
  const record = await getGrant(database, job.applicationId, job.grantId)
  if (!record) return
  const former =
    after === undefined ? undefined : await readSend(database, { applicationId: job.applicationId, id: after }, seals)
  if (former && former.closed_at === null) throw new JobDeferred(orderMs)
  const mails = mailsIn(job.content)
  for (let begin = 0; begin < mails.length; begin += batch) {
    const some = await Promise.all(
      mails
        .slice(begin, begin + batch)
        .map(async (mail) => ({ mail, message: await messageOf(options, record, mail) })),
    )
    await database.transaction(async (tx) => {
      for (const [index, { mail, message }] of some.entries()) {
        const id = sendIdOf(job, `${job.id} ${begin + index}`)
        const send = { ...sendOf(options, record, mail), id, mail: message, queued: true as const }
        const added = await options.ledger.accept(tx, send)
        if (added && mail.next) await queueNext(options, tx, { ...job, id }, mail.next)
      }
    })
  }
  sender.wake()
}

/** Queues the mail that follows another one. */
const queueNext = (
  { seals, clock }: AccountMailOptions,
  tx: Queries,
  { applicationId, grantId, id: after }: Pick<Job, 'applicationId' | 'grantId' | 'id'>,
  next: Invitation,
): Promise<void> => {
  const now = clock.now()
  const content = contentOf([next], { after })
  return queueSealed(tx, seals, { applicationId, grantId, id: newId(), kind: readyKind, content, dueAt: now, now })
}

const messageOf = ({ clock }: AccountMailOptions, record: GrantRecord, mail: Invitation) =>
  composeInvitation(mail, {
    account: accountOf(record),
    messageId: newMessageId(record),
    date: new Date(clock.now()),
  })

const sendOf = ({ clock }: AccountMailOptions, { applicationId, grant }: GrantRecord, { subject, to }: Invitation) => ({
  applicationId,
  grantId: grant.id,
  dueAt: clock.now(),
  facts: { subject, to: [{ email: to }] },
})

/** Sends a mail while a request waits; throws if it was not sent. */
async function sendNow(
  options: AccountMailOptions,
  record: GrantRecord,
  mail: Invitation,
  signal: AbortSignal,
): Promise<void> {
  const id = newId()
  const message = await messageOf(options, record, mail)
  const send = { ...sendOf(options, record, mail), id, mail: message }
  const outcome = await options.sender.acceptAndSend({ send, keep: async () => undefined }, signal)
  if (outcome.state === 'failed') throw outcome.error
  if (outcome.state === 'unknown') throw new ApiError('outcome_unknown')
}
