/** What an import tells: counts, and what was skipped or altered, each with its place and its reason. */

export interface Remark {
  /** The address or the id of the account, where it is known. */
  account: string | null
  object: 'account' | 'calendar' | 'event' | 'file'
  id: string | null
  /** Where it stands in the file: `accounts[2].events[17]`, or `line 17`. */
  place: string
  reason: string
}

/** A list that counts everything and keeps the first of it: a broken file may have a million reasons. */
export interface Remarks {
  total: number
  listed: Remark[]
}

export const maxListed = 10_000

export const noRemarks = (): Remarks => ({ total: 0, listed: [] })

export function setResponseHeader(remarks: Remarks, added: readonly Remark[]): void {
  for (const one of added) {
    remarks.total++
    if (remarks.listed.length < maxListed) remarks.listed.push(one)
  }
}

/** What v3 does not take from v2, by rule; counted. */
export interface Dropped {
  /** Cancelled events; a cancelled occurrence is left out of its series. */
  cancelled: number
  /** Events that had reminders. */
  reminders: number
  /** Accounts, calendars and events that had metadata. */
  metadata: number
}

export interface CalendarCounts {
  created: number
  updated: number
  unchanged: number
  deleted: number
}

export interface EventCounts extends CalendarCounts {
  /** Changed or deleted here after v2's last change: left as they are. */
  kept: number
  skipped: number
}

export interface ImportReport {
  application_id: string
  dry_run: boolean
  /** Whether the application had no connector for virtual calendars, and was given one. */
  connector_created: boolean
  accounts: { created: number; updated: number; unchanged: number; skipped: number }
  calendars: CalendarCounts & { skipped: number }
  events: EventCounts
  dropped: Dropped
  skipped: Remarks
  /** Imported, but not exactly as it was. */
  altered: Remarks
  /** Why the import ended before the file did; null when it did not. */
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

/** Adds counts to counts of the same names. */
export function addCounts<T extends object>(to: T, from: Partial<T>): void {
  for (const [name, count] of Object.entries(from)) {
    const before: unknown = Reflect.get(to, name)
    if (typeof before === 'number' && typeof count === 'number') Reflect.set(to, name, before + count)
  }
}

/** Whether the store holds what the file does, as far as any account goes. */
export const hasImported = ({ accounts }: ImportReport): boolean =>
  accounts.created + accounts.updated + accounts.unchanged > 0
