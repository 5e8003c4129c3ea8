/**
 * What changes of events will read, asked for together with who calls. Nobody is known to be allowed to yet: so it is asked
 * only for a key that has changed events of the same grant before, and told to nobody but the change itself.
 */
import type { NamedRoute } from '@waypost/contract'
import type { Database, ForeseenRows } from '../../store/engine/database.ts'
import { readsOfChange } from '../../store/tables/calendars-contacts/virtual-tables.ts'

/** What is about to be changed. */
export interface Ahead {
  /** What was asked for; undefined where nothing was. */
  rows: ForeseenRows | undefined
  /** Remembers whose grant it is, for the next change of the same key. */
  learn(applicationId: string): void
}

/** So many pairs of a key and a grant are remembered; then it begins anew. */
const mostKnown = 10_000

export class Foresight {
  readonly #database: Database
  /** The applications of grants, by the hash of a key and the grant. */
  readonly #known = new Map<string, string>()

  constructor(database: Database) {
    this.#database = database
  }

  look(hash: string, grantId: string, change: EventChange): Ahead {
    const pair = `${hash} ${grantId}`
    const applicationId = this.#known.get(pair)
    const rows =
      applicationId === undefined ? undefined : this.#database.foresee?.(readsOfChange(applicationId, grantId, change))
    return {
      rows,
      learn: (found) => {
        if (applicationId === found) return
        if (this.#known.size >= mostKnown) this.#known.clear()
        this.#known.set(pair, found)
      },
    }
  }
}

interface EventChange {
  calendarId: string
  eventId: string | undefined
}

const calendarIn = /[?&]calendar_id=([\w.~-]{1,100})(?:&|$)/

/** Which event a request changes, where it can be told by its path. */
export function eventChangeOf(
  { resource, route }: NamedRoute,
  target: string,
  params: Readonly<Record<string, string>>,
): EventChange | undefined {
  if (resource !== 'events' || route.method === 'GET') return undefined
  const calendarId = calendarIn.exec(target)?.[1]
  return calendarId === undefined ? undefined : { calendarId, eventId: params.event_id }
}
