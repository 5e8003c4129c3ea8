/** Billing figures: every verified grant is billed until it is deleted, including revoked ones. */
import type { Usage } from '@waypost/contract'
import { type BilledInMonth, monthOf } from '@waypost/store/tables/applications/billing-periods'

/** The month that is `back` months before that of `now`. */
function monthBefore(now: number, back: number): string {
  const date = new Date(now)
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1))
}

/** Grants whose billing started by the one month and did not end before the other. */
function billed(
  all: readonly BilledInMonth[],
  { beganTo, endedBefore }: { beganTo: string; endedBefore: string },
): { billed_grants: number; by_provider: Record<string, number> } {
  const byProvider: Record<string, number> = {}
  for (const { provider, month, began, ended } of all) {
    const counted = (month <= beganTo ? began : 0) - (month < endedBefore ? ended : 0)
    byProvider[provider] = (byProvider[provider] ?? 0) + counted
  }
  const by_provider = Object.fromEntries(Object.entries(byProvider).filter(([, count]) => count > 0))
  return { billed_grants: Object.values(by_provider).reduce((sum, count) => sum + count, 0), by_provider }
}

/** Later than any month. */
const never = '9999-99'

/** The billing of one application: now, and by month for the last twelve. */
export function summarizeUsage(
  application: { id: string; name: string },
  all: readonly BilledInMonth[],
  now: number,
): Usage {
  const months = Array.from({ length: 12 }, (_, back) => {
    const month = monthBefore(now, back)
    return { month, ...billed(all, { beganTo: month, endedBefore: month }) }
  })
  return {
    application_id: application.id,
    name: application.name,
    ...billed(all, { beganTo: never, endedBefore: never }),
    months,
  }
}
