/** The conference of a booking that another grant creates. It exists before the event, which describes it. */
import type { Conferencing, Event, EventChange } from '@waypost/contract'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { ConferenceUse, Ordered } from '../../conferences/conferences.ts'
import type { BookingTools } from './tools.ts'
import type { BookingWork, CalendarStep } from './work.ts'

export interface BookedConference {
  step: Required<Pick<CalendarStep, 'prepare' | 'discard'>>
  /** The conference for the fields of the event; nothing if there is none. */
  field(): { conferencing?: Conferencing }
  /** The written event. If an earlier attempt wrote it with its own conference, this one is removed. */
  retained(event: Event): Promise<Event>
}

/** The application that stored the configuration chose the grant, so any grant of the application may be used. */
export function conferenceFor(
  { conferences }: Pick<BookingTools, 'conferences'>,
  work: BookingWork,
  { record, event }: { record: GrantRecord; event: EventChange },
): BookedConference {
  const use: ConferenceUse = { account: record, mayUse: () => true, signal: () => work.signal }
  let made: Ordered | undefined
  const discard = async (): Promise<void> => {
    await made?.remove()
    made = undefined
  }
  return {
    step: {
      prepare: async () => {
        made = await conferences.order(use, event)
      },
      discard,
    },
    field: () => (made ? { conferencing: made.conferencing } : {}),
    async retained(written) {
      const url = written.conferencing?.details?.url
      if (work.again && url !== undefined && url !== made?.conferencing.details?.url) await discard()
      return written
    },
  }
}
