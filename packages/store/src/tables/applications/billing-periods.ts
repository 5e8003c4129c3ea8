import { type Queries, sql } from '../../engine/database.ts'
import { addCount, type Counted, readCounts } from './application-counts.ts'

/** The period in which a grant was billed. The row outlives the grant and does not identify its account. */
export interface BillingPeriod {
  application_id: string
  grant_id: string
  provider: string
  billed_from: number
  billed_until: number | null
}

const start = sql('billing_periods.start')`
   insert into billing_periods (application_id, grant_id, provider, billed_from, billed_until)
   values ($1, $2, $3, $4, null) on conflict (application_id, grant_id) do nothing`
const stop = sql<Pick<BillingPeriod, 'provider'>>('billing_periods.stop')`update billing_periods set billed_until = $3
   where application_id = $1 and grant_id = $2 and billed_until is null returning provider`

/** The month of a time in UTC, such as 2026-11. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

export async function startBilling(
  tx: Queries,
  { applicationId, grantId, provider }: { applicationId: string; grantId: string; provider: string },
  now: number,
): Promise<void> {
  const started = await tx.run(start, [applicationId, grantId, provider, now])
  if (started > 0) await addCount(tx, applicationId, `billed/${provider}/${monthOf(now)}`, 1)
}

export async function stopBilling(tx: Queries, applicationId: string, grantId: string, now: number): Promise<void> {
  const stopped = await tx.get(stop, [applicationId, grantId, now])
  if (stopped) await addCount(tx, applicationId, `ended/${stopped.provider}/${monthOf(now)}`, 1)
}

/** The number of grants of a provider whose billing started or ended in a month. */
export interface BilledInMonth {
  provider: string
  month: string
  began: number
  ended: number
}

/** The billing of an application by provider and month, from its first month on. */
export async function billedByMonth(queries: Queries, applicationId: string): Promise<BilledInMonth[]> {
  const inMonth = ({ by: [provider = '', month = ''], amount }: Counted) => ({ provider, month, amount })
  const began = (await readCounts(queries, applicationId, 'billed')).map(inMonth)
  const ended = (await readCounts(queries, applicationId, 'ended')).map(inMonth)
  return [
    ...began.map(({ amount, ...of }) => ({ ...of, began: amount, ended: 0 })),
    ...ended.map(({ amount, ...of }) => ({ ...of, began: 0, ended: amount })),
  ]
}
