/**
 * What is a customer's own: the mail, calendars and contacts of a grant, and notifications, which tell of them. An
 * administrator sees and changes it in the dashboard, unless the operator switched that off (`WAYPOST_CUSTOMER_DATA`), and
 * what was read is written down as what was changed is: once for the same object in ten minutes, noted in memory and
 * written every few seconds, so that no request waits for it.
 */
import type { NamedRoute } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/database.ts'
import type { AuditNote } from './audit.ts'

/** Of a grant, and yet the application's own words. */
const ownResources: ReadonlySet<string> = new Set(['grantTemplates'])
/** On paths of the application, and yet about what is in accounts. */
const beyondGrants: ReadonlySet<string> = new Set([
  'availability.find',
  'virtualCalendars.create',
  'notifications.list',
  'notifications.get',
  'deliveries.attempt',
])

/** Whether a route reads or changes what is a customer's own. */
export const isCustomerData = ({ id, resource, route }: NamedRoute): boolean =>
  route.audience === 'grant' ? !ownResources.has(resource) : beyondGrants.has(id)

export interface CustomerData extends AsyncDisposable {
  /** Throws where no administrator may see or change what the route is about. */
  need(named: NamedRoute): void
  /** The entry of one read, which is written later, and once for all reads of the same in ten minutes. */
  once(note: AuditNote, same: { what: string; now: number }): AuditNote
  flush(): Promise<void>
}

const againMs = 600_000
/** The most reads that are remembered, and that wait to be written; in an outage the oldest go. */
const most = 10_000

interface CustomerDataOptions {
  database: Database
  log: Log
  isShown: boolean
}

export function createCustomerData({ database, log, isShown }: CustomerDataOptions): CustomerData {
  const recent = new Map<string, number>()
  let waiting: { note: AuditNote; status: number }[] = []

  const forget = (now: number): void => {
    for (const [what, at] of recent) {
      if (now - at < againMs && recent.size <= most) return
      recent.delete(what)
    }
  }

  async function flush(): Promise<void> {
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    try {
      await database.transaction(async (tx) => {
        for (const { note, status } of batch) await note.finish(tx, status)
      })
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-most)
      log.warn({ error }, "reads of customers' data could not be written down; it is tried again")
    }
  }

  return {
    need(named) {
      if (!isShown && isCustomerData(named)) throw new ApiError('customer_data_off')
    },
    once: (note, { what, now }) => ({
      ...note,
      async finish(_, status) {
        const key = `${status} ${what}`
        forget(now)
        if (recent.has(key)) return
        recent.set(key, now)
        waiting.push({ note, status })
        if (waiting.length > most) waiting.shift()
      },
    }),
    flush,
    [Symbol.asyncDispose]: flush,
  }
}
