/** The requests of a poll for changes in an unchanged account. */
import type { Grant } from '@waypost/contract'
import type { DavSession } from '@waypost/providers/dav/session'
import { calDavTraits } from '../../packages/providers/src/dav/caldav/traits.ts'
import { watchedCalendars } from '../../packages/providers/src/dav/caldav/watch.ts'
import { cardDavTraits } from '../../packages/providers/src/dav/carddav/traits.ts'
import { watchedContacts } from '../../packages/providers/src/dav/carddav/watch.ts'
import { type WatchedPart, watchedParts } from '../../packages/providers/src/shared/watched-parts.ts'
import { davAccount } from '../../packages/providers/test/dav/dav-account.ts'
import { type FigureRow, median, rowOf } from '../figures.ts'
import type { LargeAccount } from './account.ts'

const polls = 9

/** Requests and time of a poll, and the size of its cursor. */
export async function quietPoll({ dav, mailbox }: LargeAccount): Promise<FigureRow[]> {
  let now = Date.now()
  let requests = 0
  await using account = davAccount({ clock: { now: () => now }, pollSeconds: 60 })
  const { request } = account.io
  account.io.request = (requested) => {
    requests += 1
    return request(requested)
  }
  const session: DavSession = {
    grant: { id: 'bench', email: mailbox.user } as Grant,
    io: account.io,
    dav: account.open({ caldavUrl: dav.davUrl, carddavUrl: dav.davUrl, auth: mailbox }),
  }
  const measure = async (what: string, part: WatchedPart<DavSession, unknown>): Promise<FigureRow[]> => {
    const source = watchedParts<DavSession>([part])
    let { cursor } = await source.since(session, undefined, { notBefore: 0 })
    const times: number[] = []
    requests = 0
    for (let poll = 0; poll < polls; poll++) {
      now += 61_000
      const began = performance.now()
      const found = await source.since(session, cursor, { notBefore: 0 })
      times.push(performance.now() - began)
      if (found.changes.length > 0 || found.cursor !== cursor) throw new Error('the account is not unchanged')
      cursor = found.cursor
    }
    return [
      rowOf(`a quiet look at ${what}`, { figure: requests / polls, unit: 'requests', aim: '<= 1' }),
      rowOf(`a quiet look at ${what}, time`, { figure: median(times), unit: 'ms' }),
      rowOf(`what is remembered of ${what}`, { figure: cursor.length, unit: 'bytes' }),
    ]
  }
  return [
    ...(await measure('calendars', watchedCalendars<DavSession>(calDavTraits))),
    ...(await measure('contacts', watchedContacts<DavSession>(cardDavTraits))),
  ]
}
