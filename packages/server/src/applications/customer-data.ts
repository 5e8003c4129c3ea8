/**
 * Customer data: the mail, calendars and contacts of a grant, and the notifications about them. Administrators can
 * see and change it in the dashboard unless the operator turned that off (`WAYPOST_CUSTOMER_DATA`). Reads are audited
 * like changes, before the response is sent: once per object in ten minutes, so that few requests wait for it.
 */

import type { NamedRoute } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { AuditNote } from './audit.ts'
import { isCustomerData } from './rights.ts'

export interface CustomerData {
  /** Throws if administrators may not use the route. */
  need(named: NamedRoute): void
  /** The audit entry of a read, written once for all reads of the same object in ten minutes. */
  once(note: AuditNote, same: { what: string; now: number }): AuditNote
}

const againMs = 600_000
/** Maximum number of cached reads. A read that was dropped is audited again. */
const max = 10_000

export function createCustomerData({ isShown }: { isShown: boolean }): CustomerData {
  const recent = new Map<string, { at: number; written: Promise<void> }>()

  const forget = (now: number): void => {
    for (const [what, { at }] of recent) {
      if (now - at < againMs && recent.size <= max) return
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
        // Concurrent reads of the same object wait for the same entry.
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
