/**
 * How many mails an application sends by the operator's own identity in a day. Counted in the transaction of the change that
 * sends them: what goes over the quota is refused whole, and nothing is changed.
 */
import { ApiError } from '../lib/api-error.ts'
import type { Queries } from '../store/engine/database.ts'
import { addMailUse, readMailUse } from '../store/tables/mail/mail-use.ts'

const dayMs = 86_400_000

/** Takes so many mails from an application's quota; throws where it has not so many left. */
export async function takeMails(
  tx: Queries,
  applicationId: string,
  { count, usual, now }: { count: number; usual: number; now: number },
): Promise<void> {
  const day = Math.floor(now / dayMs)
  const known = await readMailUse(tx, applicationId)
  const most = known?.per_day ?? usual
  if (await addMailUse(tx, applicationId, { day, count, most })) return
  const resets = (day + 1) * dayMs
  throw new ApiError(
    'mail_quota_reached',
    `the application may send ${most} mails a day by the service's own mail identity, ${known?.day === day ? known.used : 0} are used, and this needs ${count}: nothing was changed; the quota begins anew at ${new Date(resets).toISOString()}`,
    { retryAfter: Math.ceil((resets - now) / 1000) },
  )
}
