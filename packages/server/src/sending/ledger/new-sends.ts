/**
 * Records new messages. A message that waits for its time or for a free node is recorded when it is accepted. A
 * message that a request sends at once is recorded only when its server is ready for the content, in the transaction
 * that marks it as `transmitting`. If the node dies before that, nothing was sent, answered or stored.
 */
import type { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { MailObject } from '@waypost/providers/operations'
import type { Database, Queries } from '@waypost/store/engine/database'
import { holdUpload } from '@waypost/store/tables/grants/uploads'
import { keepSendSource } from '@waypost/store/tables/mail/send-sources'
import { addSend, type NewSendRow, sendRowOf, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import { storedError } from './states.ts'

/** A message to be sent. */
export interface NewSend {
  id: string
  applicationId: string
  grantId: string
  mail: MailObject
  /** Milliseconds: now, or the time of a schedule. */
  dueAt: number
  /** Set for a message that is sent at a later time. */
  scheduleId?: string
  /** No request waits for the message: any free node sends it and retries for a day. */
  queued?: true
  /** Hash of the payload of a request with an Idempotency-Key. */
  requestHash?: string | undefined
  /** Data for later notifications: the fields of `ScheduledMessageObject` and further fields of the sender. */
  facts: Readonly<Record<string, unknown>>
}

/** Stores further data about a message in the transaction that records it. */
export type KeepBeside = (tx: Queries) => Promise<void>

export interface NewSendsOptions {
  database: Database
  clock: Clock
  secrets: Secrets
  seals: DataSeals
  nodeId: string
  /** Called when a message is recorded as failed. */
  refused(): void
}

export interface NewSends {
  /** Records a message in the caller's transaction; undefined if the id exists already. */
  accept(tx: Queries, send: NewSend): Promise<WholeSendRow | undefined>
  /** The row of a message before it is recorded, while this node connects to the server. */
  approaching(send: NewSend, attempt: string): WholeSendRow
  /** Records a message just before its content is sent; false if the id exists already. */
  beginNew(send: NewSend, attempt: string, keep: KeepBeside): Promise<boolean>
  /** Records that a message failed before transmission; false if the id exists already. */
  refuseNew(send: NewSend, attempt: string, error: ApiError): Promise<boolean>
}

/** Messages are retried for a day, and their copies are filed for another. */
const heldMs = 3 * 86_400_000

export function createNewSends(options: NewSendsOptions): NewSends {
  const { database, clock, secrets, seals, nodeId, refused } = options

  const rowFor = ({ mail, scheduleId, queued, requestHash, facts, ...send }: NewSend): NewSendRow => ({
    id: send.id,
    applicationId: send.applicationId,
    grantId: send.grantId,
    dueAt: send.dueAt,
    state: scheduleId === undefined ? 'accepted' : 'scheduled',
    messageId: mail.messageId,
    sender: mail.from,
    recipients: mail.recipients,
    scheduleId: scheduleId ?? null,
    // The request that brings a message sends it. If its node dies, other nodes recognize that by the owner.
    owner: scheduleId !== undefined || queued === true ? null : nodeId,
    facts: queued ? { ...facts, queued } : facts,
    requestHash: requestHash ?? null,
    now: clock.now(),
  })

  async function add(
    tx: Queries,
    row: NewSendRow,
    { source, largeFiles = [] }: MailObject,
  ): Promise<WholeSendRow | undefined> {
    const added = await addSend(tx, row, seals)
    if (!added) return undefined
    await keepSendSource(tx, row, source, secrets)
    for (const { id } of largeFiles) {
      const until = row.dueAt + heldMs
      await holdUpload(tx, { applicationId: row.applicationId, id }, { holder: row.id, until })
    }
    return added
  }

  return {
    accept: (tx, send) => add(tx, rowFor(send), send.mail),

    approaching: (send, attempt) => sendRowOf({ ...rowFor(send), state: 'claimed', attempt }),

    beginNew: (send, attempt, keep) =>
      database.transaction(async (tx) => {
        const row = { ...rowFor(send), state: 'transmitting', attempt, beganAt: clock.now() }
        if (!(await add(tx, row, send.mail))) return false
        await keep(tx)
        return true
      }),

    async refuseNew(send, attempt, error) {
      const row = {
        ...rowFor(send),
        state: 'failed',
        attempt,
        owner: null,
        failed: { error: storedError(error), at: clock.now() },
      }
      const added = await database.transaction((tx) => addSend(tx, row, seals))
      if (added) refused()
      return added !== undefined
    },
  }
}
