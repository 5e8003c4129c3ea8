/** Data stored under the API id of a message, which is known only after sending: metadata and tracking. */
import { messageNamesOf } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { keepMessageMetadata } from '@waypost/store/tables/mail/message-metadata'
import type { WholeSendRow } from '@waypost/store/tables/mail/sends'
import { nameTracked } from '@waypost/store/tables/mail/tracked-messages'

interface SendFacts {
  metadata?: Record<string, string>
  tracking_options?: unknown
}

/** Runs in the transaction that marks the message as sent. */
export async function keepSentMetadata(
  tx: Queries,
  row: WholeSendRow,
  { providerId, now }: { providerId: string | undefined; now: number },
): Promise<void> {
  const { application_id: applicationId, grant_id: grantId, id: sendId } = row
  const { metadata = {}, tracking_options: tracking }: SendFacts = row.facts
  if (tracking) await nameTracked(tx, { applicationId, sendId }, { messageId: providerId ?? null, sentAt: now })
  if (providerId === undefined || Object.keys(metadata).length === 0) return
  const record = await getGrant(tx, applicationId, grantId)
  const at = { applicationId, grantId, ...(record ? messageNamesOf(record.grant) : {}) }
  await keepMessageMetadata(tx, at, { messageId: providerId, metadata, now })
}
