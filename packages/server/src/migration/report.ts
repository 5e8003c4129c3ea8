/** The report of an import: counts, and skipped or altered objects with place and reason. */

export interface Remark {
  /** Address or id of the account, if known. */
  account: string | null
  object: 'account' | 'calendar' | 'event' | 'file'
  id: string | null
  /** Place in the file: `accounts[2].events[17]`, or `line 17`. */
  place: string
  reason: string
}

/** A list that counts everything and stores only the first entries, because a broken file can have a million. */
export interface Remarks {
  total: number
  listed: Remark[]
}

export const maxListed = 10_000

export const noRemarks = (): Remarks => ({ total: 0, listed: [] })

export function addRemarks(remarks: Remarks, added: readonly Remark[]): void {
  for (const one of added) {
    remarks.total++
    if (remarks.listed.length < maxListed) remarks.listed.push(one)
  }
}

/** Counts of v2 data that v3 does not import by rule. */
export interface Dropped {
  /** Cancelled events; a cancelled occurrence is excluded from its series. */
  cancelled: number
  /** Events with reminders. */
  reminders: number
  /** Accounts, calendars and events with metadata. */
  metadata: number
}

export interface CalendarCounts {
  created: number
  updated: number
  unchanged: number
  deleted: number
}

export interface EventCounts extends CalendarCounts {
  /** Changed or deleted here after v2's last change, so they stay unchanged. */
  kept: number
  skipped: number
}

export interface ImportReport {
  application_id: string
  dry_run: boolean
  /** Whether a connector for virtual calendars was created, because the application had none. */
  connector_created: boolean
  accounts: { created: number; updated: number; unchanged: number; skipped: number }
  calendars: CalendarCounts & { skipped: number }
  events: EventCounts
  dropped: Dropped
  skipped: Remarks
  /** Imported, but not exactly. */
  altered: Remarks
  /** Why the import ended early; null if it did not. */
  stopped: string | null
}

export const noCalendars = (): CalendarCounts => ({ created: 0, updated: 0, unchanged: 0, deleted: 0 })
export const noEvents = (): EventCounts => ({ ...noCalendars(), kept: 0, skipped: 0 })
export const nothingDropped = (): Dropped => ({ cancelled: 0, reminders: 0, metadata: 0 })

export const emptyReport = (applicationId: string, dryRun: boolean): ImportReport => ({
  application_id: applicationId,
  dry_run: dryRun,
  connector_created: false,
  accounts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
  calendars: { ...noCalendars(), skipped: 0 },
  events: noEvents(),
  dropped: nothingDropped(),
  skipped: noRemarks(),
  altered: noRemarks(),
  stopped: null,
})

/** Adds counts with the same names. */
export function addCounts<T extends object>(to: T, from: Partial<T>): void {
  for (const [name, count] of Object.entries(from)) {
    const before: unknown = Reflect.get(to, name)
    if (typeof before === 'number' && typeof count === 'number') Reflect.set(to, name, before + count)
  }
}

/** Whether at least one account was imported. */
export const hasImported = ({ accounts }: ImportReport): boolean =>
  accounts.created + accounts.updated + accounts.unchanged > 0
