/** Calendars of an account on a DAV server, through the operations of its adapter, without the service. */
import type { EventDraft, EventListQuery } from '@waypost/contract'
import type { EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import type { DavSession } from '@waypost/providers/dav/session'
import type { SessionIo } from '@waypost/providers/io'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { calendarOperations } from '../../../../providers/src/dav/caldav/calendars.ts'
import { eventOperations, rsvpOperation } from '../../../../providers/src/dav/caldav/events.ts'
import { availabilityOf, freeBusyOperation } from '../../../../providers/src/dav/caldav/free-busy.ts'
import { type CalDavTraits, calDavTraits } from '../../../../providers/src/dav/caldav/traits.ts'
import { davAccount } from '../../../../providers/test/dav/dav-account.ts'
import { sayInHeader } from '../../../src/grants/local-io.ts'

/** Intercepts requests between the account and its server. */
export type Between = (
  request: EgressRequest,
  next: (request: EgressRequest) => Promise<EgressResponse>,
) => Promise<EgressResponse>

export interface CalendarAccount extends AsyncDisposable {
  session: DavSession
  /** Requests to the server, as `METHOD`. */
  requested: string[]
  /** Response headers for the client. */
  headers: Record<string, string>
  /** Set it to intercept requests. */
  between: Between | undefined
  operations: ReturnType<typeof operationsOf>
  create(calendarId: string, draft: EventDraft, at?: object): ReturnType<ReturnType<typeof eventOperations>['create']>
  titles(query: Partial<EventListQuery>): Promise<(string | null)[]>
}

export const operationsOf = (traits: CalDavTraits) => ({
  calendars: { ...calendarOperations(traits), freeBusy: freeBusyOperation(traits) },
  events: { ...eventOperations(traits), rsvp: rsvpOperation(traits) },
  availability: availabilityOf(traits),
})

export function calendarAccount(
  server: DavServer,
  mailbox: Mailbox,
  { traits = calDavTraits, now = Date.parse('2036-06-01T12:00:00Z') }: { traits?: CalDavTraits; now?: number } = {},
): CalendarAccount {
  const requested: string[] = []
  const headers: Record<string, string> = {}
  let clock = now
  const dav = davAccount({
    // Two changes get two times.
    clock: { now: () => (clock += 1000) } as SessionIo['clock'],
    setResponseHeader: (header, text) => sayInHeader(headers, header, text),
  })
  const { request } = dav.io
  const account: CalendarAccount = {
    requested,
    headers,
    between: undefined,
    operations: operationsOf(traits),
    session: undefined as never,
    create: (calendar_id, draft, at = {}) =>
      account.operations.events.create(account.session, { calendar_id, ...at }, draft),
    async titles(query) {
      const { items } = await account.operations.events.list(account.session, listQuery(query), undefined)
      return items.map((event) => ('title' in event ? event.title : null))
    },
    [Symbol.asyncDispose]: () => dav[Symbol.asyncDispose](),
  }
  dav.io.request = (requesting) => {
    requested.push(requesting.method)
    return account.between ? account.between(requesting, request) : request(requesting)
  }
  account.session = {
    grant: { id: 'grant', email: mailbox.user } as DavSession['grant'],
    io: dav.io,
    dav: dav.open({ caldavUrl: server.davUrl, auth: mailbox }),
  }
  return account
}

export const calendarQuery = { limit: 50, select: undefined, metadata_pair: undefined }

/** A list of June, unless the query says otherwise. */
export const listQuery = (query: Partial<EventListQuery>): EventListQuery =>
  ({
    calendar_id: 'primary',
    limit: 50,
    start: at('2036-06-01T00:00'),
    end: at('2036-07-01T00:00'),
    ...query,
  }) as EventListQuery

/** Unix seconds of a time in UTC. */
export const at = (text: string): number => Date.parse(`${text}:00Z`) / 1000

export const span = (start: string, minutes = 60) => ({
  start_time: at(start),
  end_time: at(start) + minutes * 60,
})
