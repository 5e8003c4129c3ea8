/** Notifications of changed events: a change of an instance is notified for its master. */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Change } from '../../provider.ts'
import { isMalformed } from '../../shared/answer.ts'
import type { Session } from '../session.ts'
import { calendarIdOf, eventFields, eventPath, type GoogleEvent, googleEvent } from './calendar-api.ts'
import { fromEvent, isCancelled } from './mapping/event.ts'

interface Telling {
  calendarId: string
  /** The access role of the account in the calendar. */
  accessRole: string
  isNew(event: GoogleEvent): boolean
  /** The zone of the calendar. */
  zone: string | undefined
}

/** The changed instances of one series. */
interface Instances {
  changed: GoogleEvent[]
  cancelled: GoogleEvent[]
}

export async function eventNotifications(
  session: Session,
  items: readonly GoogleEvent[],
  { isNew, zone, accessRole, ...at }: Telling,
): Promise<Change[]> {
  const calendarId = calendarIdOf(session, at.calendarId)
  const place = { grantId: session.grant.id, calendarId, timeZone: zone, accessRole }
  const shown = (event: GoogleEvent): Event => fromEvent(event, place)
  const now = session.io.clock.now()
  const timeOf = (events: readonly GoogleEvent[]): number =>
    Math.max(...events.map(({ updated }) => (updated === undefined ? now : Date.parse(updated))))

  const whole = items.filter(({ recurringEventId }) => recurringEventId === undefined)
  const known = new Map(whole.map((event) => [event.id, event]))
  const series = instancesOf(items)
  const masters = await readMasters(
    session,
    calendarId,
    [...series.keys()].filter((id) => !known.has(id)),
  )

  const deletion = (event: GoogleEvent): Change => ({
    trigger: 'event.deleted',
    happenedAt: timeOf([event]),
    object: {
      id: event.id,
      object: 'event',
      grant_id: session.grant.id,
      calendar_id: calendarId,
      ...(event.recurringEventId === undefined ? {} : { master_event_id: event.recurringEventId }),
    },
  })
  const change = (event: GoogleEvent, instances: Instances | undefined, happenedAt: number): Change => ({
    trigger: known.has(event.id) && isNew(event) ? 'event.created' : 'event.updated',
    happenedAt,
    object: { ...shown(event), ...idsOf(instances) },
  })

  const reported = whole.map((event) =>
    isCancelled(event) ? deletion(event) : change(event, series.get(event.id), timeOf([event])),
  )
  const ofInstances = [...series].flatMap(([id, instances]): Change[] => {
    if (known.has(id)) return []
    const all = [...instances.changed, ...instances.cancelled]
    const master = masters.get(id)
    if (master && !isCancelled(master)) return [change(master, instances, timeOf(all))]
    // The account may be a guest of some instances only, and then cannot read the series.
    return all.map((event) =>
      isCancelled(event)
        ? deletion(event)
        : {
            trigger: isNew(event) ? 'event.created' : 'event.updated',
            happenedAt: timeOf([event]),
            object: shown(event),
          },
    )
  })
  return [...reported, ...ofInstances]
}

function instancesOf(items: readonly GoogleEvent[]): Map<string, Instances> {
  const series = new Map<string, Instances>()
  for (const event of items) {
    if (event.recurringEventId === undefined) continue
    const instances = series.get(event.recurringEventId) ?? { changed: [], cancelled: [] }
    instances[isCancelled(event) ? 'cancelled' : 'changed'].push(event)
    series.set(event.recurringEventId, instances)
  }
  return series
}

const idsOf = (instances: Instances | undefined): { occurrences?: string[]; cancelled_occurrences?: string[] } => {
  const { changed = [], cancelled = [] } = instances ?? {}
  return {
    ...(changed.length > 0 ? { occurrences: changed.map(({ id }) => id) } : {}),
    ...(cancelled.length > 0 ? { cancelled_occurrences: cancelled.map(({ id }) => id) } : {}),
  }
}

/** The masters of series that the account can read. */
async function readMasters(
  session: Session,
  calendarId: string,
  ids: readonly string[],
): Promise<Map<string, GoogleEvent>> {
  const found = new Map<string, GoogleEvent>()
  if (ids.length === 0) return found
  const calls = ids.map((id) => ({ path: eventPath(session, calendarId, id), query: { fields: eventFields } }))
  const answers = await session.batch('calendar', calls, googleEvent)
  for (const answer of answers) {
    if (!(answer instanceof ApiError)) found.set(answer.id, answer)
    else if (answer.code !== 'not_found' && !isMalformed(answer)) throw answer
  }
  return found
}
