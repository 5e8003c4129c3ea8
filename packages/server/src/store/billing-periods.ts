import { type Queries, sql } from './database.ts'

/** From when to when a grant was billed. The row outlives the grant and says nothing of whose it was. */
export interface BillingPeriod {
  application_id: string
  grant_id: string
  provider: string
  billed_from: number
  billed_until: number | null
}

const start = sql(
  'billing_periods.start',
  `insert into billing_periods (application_id, grant_id, provider, billed_from, billed_until)
   values ($1, $2, $3, $4, null) on conflict (application_id, grant_id) do nothing`,
)
const stop = sql(
  'billing_periods.stop',
  'update billing_periods set billed_until = $3 where application_id = $1 and grant_id = $2 and billed_until is null',
)
const since = sql<BillingPeriod>(
  'billing_periods.since',
  `select application_id, grant_id, provider, billed_from, billed_until from billing_periods
   where application_id = $1 and (billed_until is null or billed_until >= $2)`,
)

export const startBilling = (
  tx: Queries,
  at: { applicationId: string; grantId: string; provider: string },
  now: number,
): Promise<number> => tx.run(start, [at.applicationId, at.grantId, at.provider, now])
export const stopBilling = (tx: Queries, applicationId: string, grantId: string, now: number): Promise<number> =>
  tx.run(stop, [applicationId, grantId, now])
export const billingPeriodsSince = (
  queries: Queries,
  applicationId: string,
  since_: number,
): Promise<BillingPeriod[]> => queries.all(since, [applicationId, since_])
