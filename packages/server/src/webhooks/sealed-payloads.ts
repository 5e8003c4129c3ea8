/** Payloads of notifications and the log of their deliveries: sealed in the store, decrypted when sent or shown. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type SealContext, SecretsError } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'

/** Opens values sealed with data keys, and logs those that cannot be opened. */
export interface PayloadOpener {
  seals: DataSeals
  log: Log
}

export const payloadContext = (application: string, id: string): SealContext => ({
  table: 'notifications',
  column: 'sealed_payload',
  application,
  row: id,
})

export const answerContext = (
  application: string,
  { webhookId, notification, attempt }: { webhookId: string; notification: number; attempt: number },
): SealContext => ({
  table: 'delivery_attempts',
  column: 'sealed_answer',
  application,
  row: `${notification} ${webhookId} ${attempt}`,
})

interface SealedNotification {
  id: string
  application_id: string
  sealed_payload: string
}
export type OpenNotification<T extends SealedNotification> = Omit<T, 'sealed_payload'> & { payload: string }

/** Notifications with their payload. One that was altered in the store is logged and left out. */
export const openPayloads = <T extends SealedNotification>(
  opener: PayloadOpener,
  rows: readonly T[],
): Promise<OpenNotification<T>[]> =>
  openEach(opener, rows, ({ sealed_payload, ...row }) => ({
    ...row,
    payload: opener.seals.open(sealed_payload, payloadContext(row.application_id, row.id)),
  }))

/** Maps each notification and the bytes of its payload, if it can be opened. */
export const openPayloadBytes = <T extends SealedNotification, R>(
  opener: PayloadOpener,
  rows: readonly T[],
  make: (row: T, payload: Buffer) => R,
): Promise<R[]> =>
  openEach(opener, rows, (row) =>
    make(row, opener.seals.openBytes(row.sealed_payload, payloadContext(row.application_id, row.id))),
  )

async function openEach<T extends SealedNotification, R>(
  { seals, log }: PayloadOpener,
  rows: readonly T[],
  open: (row: T) => R,
): Promise<R[]> {
  await seals.learn(rows.map((row) => row.sealed_payload))
  const opened: R[] = []
  for (const row of rows) {
    try {
      opened.push(open(row))
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error
      log.error({ error, notification_id: row.id }, 'a notification cannot be decrypted and is skipped')
    }
  }
  return opened
}

interface SealedAnswer {
  notification: number
  attempt: number
  sealed_answer: string | null
}

/** Attempts at a destination with the text of their responses; null if one cannot be opened. */
export async function openAnswers<T extends SealedAnswer>(
  opener: PayloadOpener,
  { applicationId, webhookId }: { applicationId: string; webhookId: string },
  rows: readonly T[],
): Promise<(Omit<T, 'sealed_answer'> & { answer: string | null })[]> {
  await opener.seals.learn(rows.map((row) => row.sealed_answer))
  return rows.map(({ sealed_answer: sealed, ...row }) => {
    const { notification, attempt } = row
    const context = answerContext(applicationId, { webhookId, notification, attempt })
    try {
      return { ...row, answer: sealed === null ? null : opener.seals.open(sealed, context) }
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error
      opener.log.error(
        { error, webhook_id: webhookId },
        'the response to a delivery cannot be decrypted and is not shown',
      )
      return { ...row, answer: null }
    }
  })
}
