/** The encrypted fields of a row of `sends`: the envelope, the facts for notifications, and the error. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'

/** The stored content of an accepted message. */
export interface SendContent {
  sender: string
  recipients: readonly string[]
  /** The data for later notifications. */
  facts: Readonly<Record<string, unknown>>
}

/** As it is stored; `large_recipients` are those of a message with uploaded files. */
interface StoredContent extends SendContent {
  large_recipients?: readonly string[]
}

interface SealedContent {
  id: string
  application_id: string
  sealed_content: string
  sealed_error: string | null
}
export type OpenedSend<T extends SealedContent> = Omit<T, 'sealed_content' | 'sealed_error'> &
  SendContent & { error: string | null }

const contextOf = (application: string, id: string, column: string): SealContext => ({
  table: 'sends',
  column,
  application,
  row: id,
})

export const sealSendContent = (
  seals: DataSeals,
  at: { applicationId: string; id: string },
  { sender, recipients, facts }: SendContent,
): string => {
  // Version 1.2 does not know uploaded files. It refuses to send a message without recipients.
  const envelope = facts.large_files === undefined ? { recipients } : { recipients: [], large_recipients: recipients }
  return seals.seal(
    JSON.stringify({ sender, ...envelope, facts }),
    contextOf(at.applicationId, at.id, 'sealed_content'),
  )
}

export const sealSendError = (
  seals: DataSeals,
  at: { applicationId: string; id: string },
  error: string | null,
): string | null => (error === null ? null : seals.seal(error, contextOf(at.applicationId, at.id, 'sealed_error')))

/**
 * For a row that was altered in the store: without recipients, it cannot be sent. Only its state remains readable.
 */
const nothing: SendContent = { sender: '', recipients: [], facts: {} }

/** Decrypts rows. */
export async function openSends<T extends SealedContent>(
  seals: DataSeals,
  rows: readonly T[],
): Promise<OpenedSend<T>[]> {
  await seals.learn(rows.flatMap((row) => [row.sealed_content, row.sealed_error]))
  return rows.map(({ sealed_content, sealed_error, ...row }) => {
    const open = (sealed: string, column: string): string | undefined =>
      seals.openOrLog(sealed, contextOf(row.application_id, row.id, column))
    const content = open(sealed_content, 'sealed_content')
    const {
      sender,
      recipients: plain,
      large_recipients: recipients = plain,
      facts,
    }: StoredContent = content === undefined ? nothing : JSON.parse(content)
    const error = sealed_error === null ? null : (open(sealed_error, 'sealed_error') ?? null)
    return { ...row, sender, recipients, facts, error }
  })
}
