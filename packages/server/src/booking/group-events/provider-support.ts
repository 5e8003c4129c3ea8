/** Fields of group events that the provider of an account does not support. */
import type { GroupEventChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { GroupAccount, GroupServices } from './group-calendar.ts'

type Field = 'recurrence' | 'capacity'

/** Why the provider of the account refuses a field; undefined if it does not. */
export const whyUnsupported = (
  { sessions }: GroupServices,
  { record }: GroupAccount,
  field: Field,
): string | undefined => sessions.providerOf(record, 'events.create').groupEventLimits?.[field]

export function refuseUnsupported(
  services: GroupServices,
  account: GroupAccount,
  { recurrence, capacity }: Pick<GroupEventChange, Field>,
): void {
  const requested = { recurrence: (recurrence ?? []).length > 0, capacity: capacity !== undefined && capacity !== null }
  for (const field of ['recurrence', 'capacity'] as const) {
    const why = requested[field] ? whyUnsupported(services, account, field) : undefined
    if (why === undefined) continue
    const { kind } = services.sessions.providerOf(account.record, 'events.create')
    throw new ApiError('not_supported_by_provider', `${field}: ${kind} does not support it: ${why}`, {
      fields: { provider: kind, capability: `groupEvents.${field}` },
      validationErrors: { [field]: why },
    })
  }
}
