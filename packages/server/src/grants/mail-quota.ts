/**
 * The daily quota of messages that an application sends through the operator's mail identity. It is counted in the
 * transaction of the change that sends them. A change that exceeds the quota is refused as a whole.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { addMailUse, readMailUse } from '@waypost/store/tables/mail/mail-use'

const dayMs = 86_400_000

/** Takes messages from an application's quota. Throws if there are not enough left. */
export async function takeMails(
  tx: Queries,
  applicationId: string,
  { count, usual, now }: { count: number; usual: number; now: number },
): Promise<void> {
  const day = Math.floor(now / dayMs)
  const known = await readMailUse(tx, applicationId)
  const max = known?.per_day ?? usual
  if (await addMailUse(tx, applicationId, { day, count, max })) return
  const resets = (day + 1) * dayMs
  throw new ApiError(
    'mail_quota_reached',
    `the application may send ${max} messages a day through the service's own mail identity, ${known?.day === day ? known.used : 0} are used, and this needs ${count}: nothing was changed; the quota is renewed at ${new Date(resets).toISOString()}`,
    { retryAfter: Math.ceil((resets - now) / 1000) },
  )
}
