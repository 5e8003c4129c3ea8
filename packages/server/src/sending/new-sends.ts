/**
 * Messages that are written down. One that waits for its time, or for a node that is free, is written down as soon as it is
 * accepted. One that a request sends at once is written down when its server is ready to take it, with the first bytes of its
 * content still to leave: in one transaction with that it is being sent. A node that dies before has sent nothing, has
 * answered nothing, and left nothing.
 */
import type { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { MailObject } from '../providers/operations.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { keepSendSource } from '../store/tables/mail/send-sources.ts'
import { addSend, type NewSendRow, sendRowOf, type WholeSendRow } from '../store/tables/mail/sends.ts'
import { storedError } from './stored-error.ts'

/** A message that is to be sent. */
export interface NewSend {
  id: string
  applicationId: string
  grantId: string
  mail: MailObject
  /** Milliseconds: now, or the time of a schedule. */
  dueAt: number
  /** Of a message that is sent at its time, not by the request that brings it. */
  scheduleId?: string
  /** No request waits for it: whichever node is free sends it, and tries for a day. */
  queued?: true
  /** Of what a request with an Idempotency-Key asked for. */
  requestHash?: string | undefined
  /** What is told of the message later: the fields of `ScheduledMessageObject`, and whatever else its sender keeps. */
  facts: Readonly<Record<string, unknown>>
}

/** Keeps what else is to be known of a message, in the transaction that writes it down. */
export type KeepBeside = (tx: Queries) => Promise<void>

export interface NewSendsOptions {
  database: Database
  clock: Clock
  secrets: Secrets
  seals: DataSeals
  nodeId: string
  /** Hears of messages that are written down as failed. */
  refused(): void
}

export interface NewSends {
  /** Writes a message down in the caller's transaction; undefined where there is one of this id already. */
  accept(tx: Queries, send: NewSend): Promise<WholeSendRow | undefined>
  /** A message as this node has it while it is on its way to the server, and nothing of it is written down. */
  approaching(send: NewSend, attempt: string): WholeSendRow
  /** Writes a message down of which the next bytes may make the provider take it; false where there is one of this id already. */
  beginNew(send: NewSend, attempt: string, keep: KeepBeside): Promise<boolean>
  /** Writes down that a message failed before it began; false where there is one of this id already. */
  refuseNew(send: NewSend, attempt: string, error: ApiError): Promise<boolean>
}

export function createNewSends(options: NewSendsOptions): NewSends {
  const { database, clock, secrets, seals, nodeId, refused } = options

  const rowFor = ({ mail, scheduleId, queued, requestHash, facts, ...send }: NewSend): NewSendRow => ({
    ...{ id: send.id, applicationId: send.applicationId, grantId: send.grantId, dueAt: send.dueAt },
    state: scheduleId === undefined ? 'accepted' : 'scheduled',
    ...{ messageId: mail.messageId, sender: mail.from, recipients: mail.recipients },
    scheduleId: scheduleId ?? null,
    // The request that brings a message sends it; where its node dies before, others see that.
    owner: scheduleId !== undefined || queued === true ? null : nodeId,
    facts: queued ? { ...facts, queued } : facts,
    requestHash: requestHash ?? null,
    now: clock.now(),
  })

  async function add(tx: Queries, row: NewSendRow, { source }: MailObject): Promise<WholeSendRow | undefined> {
    const added = await addSend(tx, row, seals)
    if (added) await keepSendSource(tx, row, source, secrets)
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
