import type { AvailabilityQuestion } from '@waypost/contract'
import { isNamed, locatorFor } from '../../grants/locator.ts'
import { ApiError, invalidField, invalidFields } from '../../lib/api-error.ts'
import { emailKey } from '../../lib/email-key.ts'
import { type FetchedParticipant, findAvailability } from '../../scheduling/availability.ts'
import { checkAvailability, eventWindowOf, roundRobinGroupOf } from '../../scheduling/availability-question.ts'
import type { Services } from '../../services/services.ts'
import { findBookedEvents } from '../../store/tables/calendars-contacts/object-metadata.ts'
import type { GrantRecord } from '../../store/tables/grants/grants.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { holderOf } from './object-metadata.ts'

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

/** The newest bookings of a group that are checked; earlier ones were canceled. */
const bookingsLookedAt = 20

/** The parts of the request that apply to every participant. */
interface Asking {
  question: Question
  signal(): AbortSignal
}

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

export const availability = ({ database, sessions }: Services): Handlers['availability'] => {
  const recordOf = async (
    { id: applicationId, grantId }: { id: string; grantId?: string },
    participant: Participant,
    index: number,
  ): Promise<GrantRecord> => {
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
      return await sessions.find(applicationId, locator)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw invalidField(`participants.${index}.email`, `${name}: ${error.message}`)
    }
  }

  const fetchParticipant = async (
    { question, signal }: Asking,
    { participant, record }: { participant: Participant; record: GrantRecord },
  ): Promise<FetchedParticipant> => {
    const { kind, availability: account } = sessions.providerOf(record, 'availability.find')
    if (!account) {
      throw new ApiError('not_supported_by_provider', `${kind} does not support availability`, {
        fields: { provider: kind, capability: 'availability.find' },
      })
    }
    const session = sessions.open(record, 'availability.find', { queries: database, signal, responseHeaders: {} })
    const named = participant.calendar_ids ?? []
    const calendarIds = named.length > 0 ? named : ['primary']
    const { start: from, end: to } = eventWindowOf(question)
    const tentativeAsBusy = question.availability_rules?.tentative_as_busy ?? true
    const busy = await account.busy(session, { calendarIds, from, to, tentativeAsBusy })
    const group = roundRobinGroupOf(question.availability_rules)
    const lastBooked =
      group === undefined
        ? undefined
        : await account.lastBooked(session, {
            calendarIds,
            group,
            tagged: await findBookedEvents(database, holderOf(record), group, bookingsLookedAt),
          })
    return { ...participant, email: participant.email ?? record.grant.email, busy, lastBooked }
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
      const asking: Asking = { question, signal: () => context.signal }
      const participants = await Promise.all(people.map((person) => fetchParticipant(asking, person)))
      const found = findAvailability({ ...question, participants })
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
