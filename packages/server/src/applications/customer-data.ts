/**
 * What is a customer's own: the mail, calendars and contacts of a grant, and notifications, which tell of them. An
 * administrator sees and changes it in the dashboard, unless the operator switched that off (`WAYPOST_CUSTOMER_DATA`), and
 * what was read is written down as what was changed is, before the answer leaves: once for the same object in ten minutes,
 * so that few requests wait for it.
 */
import type { NamedRoute } from '@waypost/contract'
import { ApiError } from '../lib/api-error.ts'
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

export interface CustomerData {
  /** Throws where no administrator may see or change what the route is about. */
  need(named: NamedRoute): void
  /** The entry of one read, which is written once for all reads of the same in ten minutes. */
  once(note: AuditNote, same: { what: string; now: number }): AuditNote
}

const againMs = 600_000
/** The most reads that are remembered: who reads what was forgotten is written down anew. */
const most = 10_000

export function createCustomerData({ isShown }: { isShown: boolean }): CustomerData {
  const recent = new Map<string, { at: number; written: Promise<void> }>()

  const forget = (now: number): void => {
    for (const [what, { at }] of recent) {
      if (now - at < againMs && recent.size <= most) return
      recent.delete(what)
    }
  }

  return {
    need(named) {
      if (!isShown && isCustomerData(named)) throw new ApiError('customer_data_off')
    },
    once: (note, { what, now }) => ({
      ...note,
      finish(queries, status) {
        const key = `${status} ${what}`
        forget(now)
        // Who reads the same meanwhile waits for the same entry.
        const before = recent.get(key)
        if (before) return before.written
        const entry = { at: now, written: note.finish(queries, status) }
        recent.set(key, entry)
        entry.written.catch(() => {
          if (recent.get(key) === entry) recent.delete(key)
        })
        return entry.written
      },
    }),
  }
}
