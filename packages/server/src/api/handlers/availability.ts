import type { AvailabilityQuestion } from '@waypost/contract'
import { ApiError, invalidField, invalidFields } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { runYielding } from '@waypost/platform/parsing/yielding'
import { findingAvailability } from '@waypost/scheduling/availability'
import { checkAvailability, eventWindowOf, roundRobinGroupOf } from '@waypost/scheduling/availability-question'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { readCalendarTimes } from '../../booking/calendar-times.ts'
import { needInReach, type ReachingCaller } from '../../grants/caller.ts'
import { isNamed, locatorFor } from '../../grants/locator.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

type WithoutNulls<T> = T extends null
  ? never
  : T extends readonly (infer Item)[]
    ? WithoutNulls<Item>[]
    : T extends object
      ? { [K in keyof T]: WithoutNulls<T[K]> }
      : T

/** The request without nulls, which mean the same as absent fields. */
const withoutNulls = <T>(value: T): WithoutNulls<T> =>
  JSON.parse(JSON.stringify(value), (_key, item) => (item === null ? undefined : item))

type Question = WithoutNulls<AvailabilityQuestion>
type Participant = Question['participants'][number]

/** One account under two names would count twice. */
function refuseTwice(records: readonly GrantRecord[]): void {
  const ids = records.map(({ grant }) => grant.id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (twice !== -1) throw invalidField(`participants.${twice}.email`, 'is listed twice')
}

/** An access token opens only its own grant. */
const strangerAt = (index: number): ApiError =>
  new ApiError(
    'grant_access_denied',
    `participants.${index}: an access token asks about its own grant alone; use the API key of the application for others`,
  )

export const availability = ({
  storage: { database },
  accounts: { sessions },
}: Pick<Services, 'storage' | 'accounts'>): Handlers['availability'] => {
  const recordOf = async (
    caller: ReachingCaller & { grantId?: string },
    participant: Participant,
    index: number,
  ): Promise<GrantRecord> => {
    const { id: applicationId, grantId } = caller
    const name = participant.grant_id ?? participant.email ?? ''
    if (grantId !== undefined) {
      // The error is the same whether or not the grant exists.
      const own = await sessions.find(applicationId, { by: 'id', value: grantId })
      if (!isNamed(own, participant.grant_id ?? `email:${name}`)) throw strangerAt(index)
      return own
    }
    try {
      const locator =
        participant.grant_id === undefined ? { by: 'email' as const, value: emailKey(name) } : locatorFor(name)
      await needInReach(database, caller, locator)
      return await sessions.find(applicationId, locator)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw invalidField(`participants.${index}.email`, `${name}: ${error.message}`)
    }
  }

  return {
    find: async (context) => {
      const { application, body } = context
      const question = withoutNulls(body)
      const problems = checkAvailability(question)
      if (Object.keys(problems).length > 0) throw invalidFields(problems)
      const people = await Promise.all(
        question.participants.map(async (participant, index) => ({
          participant,
          record: await recordOf(application, participant, index),
        })),
      )
      refuseTwice(people.map(({ record }) => record))
      const rules = question.availability_rules
      const times = await readCalendarTimes(
        { database, sessions },
        {
          window: eventWindowOf(question),
          tentativeAsBusy: rules?.tentative_as_busy ?? true,
          group: roundRobinGroupOf(rules),
          signal: () => context.signal,
          calls: context.calls,
        },
        people.map(({ participant, record }) => ({ record, calendarIds: participant.calendar_ids ?? [] })),
      )
      const participants = people.map(({ participant, record }, index) => ({
        ...participant,
        email: participant.email ?? record.grant.email,
        ...times[index],
      }))
      const found = await runYielding(findingAvailability({ ...question, participants }))
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
