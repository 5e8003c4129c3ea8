import type { AvailabilityQuestion } from '@waypost/contract'
import { emailKey, locatorFor } from '../../grants/locator.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { type FetchedParticipant, findAvailability } from '../../scheduling/availability.ts'
import { checkAvailability, eventWindowOf, roundRobinGroupOf } from '../../scheduling/availability-question.ts'
import type { Services } from '../../services.ts'
import type { GrantRecord } from '../../store/grants.ts'
import type { Handlers } from './index.ts'

/** The question without its nulls, which mean the same as absence. */
const withoutNulls = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, item) => (item === null ? undefined : item))

type Participant = AvailabilityQuestion['participants'][number]

export const availability = ({ database, sessions }: Services): Handlers['availability'] => {
  const recordOf = async (applicationId: string, participant: Participant, index: number): Promise<GrantRecord> => {
    const name = participant.grant_id ?? participant.email ?? ''
    try {
      const locator =
        participant.grant_id === undefined ? { by: 'email' as const, value: emailKey(name) } : locatorFor(name)
      return await sessions.find(applicationId, locator)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw invalidField(`participants.${index}.email`, `${name}: ${error.message}`)
    }
  }
  return {
    find: async ({ application, body, ...context }) => {
      const question = withoutNulls(body)
      const rules = question.availability_rules ?? undefined
      const asked = { ...question, availability_rules: rules } as Parameters<typeof checkAvailability>[0]
      const problems = checkAvailability(asked)
      const first = Object.entries(problems)[0]
      if (first) {
        throw new ApiError('invalid_request', `${first[0]}: ${first[1]}`, { validationErrors: problems })
      }
      const window = eventWindowOf(asked)
      const group = roundRobinGroupOf(asked.availability_rules)
      const fetchOne = async (participant: Participant, index: number): Promise<FetchedParticipant> => {
        const record = await recordOf(application.id, participant, index)
        const provider = sessions.providerOf(record, 'availability.find')
        if (!provider.availability) {
          throw new ApiError('not_supported_by_provider', `${provider.kind} does not support availability`, {
            fields: { provider: provider.kind, capability: 'availability.find' },
          })
        }
        const use = { queries: database, signal: () => context.signal, remarks: {} }
        const session = sessions.open(record, 'availability.find', use)
        const calendarIds = participant.calendar_ids ?? ['primary']
        const busy = await provider.availability.busy(session, {
          calendarIds,
          from: window.start,
          to: window.end,
          tentativeAsBusy: rules?.tentative_as_busy ?? true,
        })
        const lastBooked =
          group === undefined ? undefined : await provider.availability.lastBooked(session, { calendarIds, group })
        const { open_hours, specific_time_availability, only_specific_time_availability } = participant
        return {
          email: participant.email ?? record.grant.email,
          busy,
          lastBooked,
          ...({ open_hours, specific_time_availability, only_specific_time_availability } as object),
        }
      }
      const participants = await Promise.all(question.participants.map(fetchOne))
      const found = findAvailability({ ...asked, participants })
      if ('problem' in found) {
        throw invalidField(
          'interval_minutes',
          `asks for ${found.count} start times; at most ${found.limit} are allowed`,
        )
      }
      return found
    },
  }
}
