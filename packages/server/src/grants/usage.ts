/** Billing figures: every verified grant is billed until it is deleted, revoked ones included. */
import type { Usage } from '@waypost/contract'
import type { BillingPeriod } from '../store/billing-periods.ts'

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

/** The beginning of the month that lies `back` months before the one of `now`. */
export function monthStart(now: number, back: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1)
}

function count(periods: readonly BillingPeriod[]): { billed_grants: number; by_provider: Record<string, number> } {
  const byProvider: Record<string, number> = {}
  for (const { provider } of periods) byProvider[provider] = (byProvider[provider] ?? 0) + 1
  return { billed_grants: periods.length, by_provider: byProvider }
}

/** Counts the periods of one application: now, and by month for the last twelve. */
export function summarizeUsage(
  application: { id: string; name: string },
  periods: readonly BillingPeriod[],
  now: number,
): Usage {
  const months = Array.from({ length: 12 }, (_, back) => {
    const from = monthStart(now, back)
    const until = monthStart(now, back - 1)
    const billed = periods.filter(
      (period) => period.billed_from < until && (period.billed_until === null || period.billed_until >= from),
    )
    return { month: monthOf(from), ...count(billed) }
  })
  return {
    application_id: application.id,
    name: application.name,
    ...count(periods.filter((period) => period.billed_until === null)),
    months,
  }
}
