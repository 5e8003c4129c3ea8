/** Notifies once that the mail of an account was read for the first time. */
import { triggers } from '@waypost/contract'
import type { RequestedTrigger } from '@waypost/providers/provider'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Notify } from '../grants/notify.ts'

const trigger = 'grant.imap_sync_completed'

/** The contract of the object says for which kind of account the trigger exists. */
export async function notifyFirstRead(
  tx: Queries,
  { notify, record, requested }: { notify: Notify; record: GrantRecord; requested: ReadonlySet<RequestedTrigger> },
): Promise<void> {
  const { applicationId, connectorId, grant } = record
  const { id: grantId, provider } = grant
  const object = { code: 25012, grant_id: grantId, integration_id: connectorId, provider, type: trigger }
  if (!requested.has(trigger) || !triggers[trigger].object.safeParse(object).success) return
  await notify(tx, { applicationId, grantId, provider, trigger, object })
}
