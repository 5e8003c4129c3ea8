/**
 * Whether a server lists the occurrences of series in its views. Exchange does. Other EWS servers list the series
 * itself, and only if its first occurrence is in the view. The behavior is detected from the server's answers.
 */
import type { EventWindow } from '../../calendar/event-queries.ts'
import { accountOf } from '../account.ts'
import type { Session } from '../session.ts'
import type { AnyFolderId } from '../types/ids.ts'
import { type Entry, seriesEntries, viewEntries } from './entries.ts'

/** How long the result is cached, in milliseconds. */
const knownMs = 86_400_000
const withoutMs = 300_000
const maxServers = 10_000

class SeriesTraits {
  readonly #byServer = new Map<string, { shows: boolean; until: number }>()

  find(server: string, now: number): boolean | undefined {
    const known = this.#byServer.get(server)
    return known && known.until > now ? known.shows : undefined
  }

  keep(server: string, shows: boolean, now: number): void {
    if (this.#byServer.size >= maxServers) this.#byServer.clear()
    this.#byServer.set(server, { shows, until: now + knownMs })
  }
}

/** Calendars in which no series that begins before a time was found recently, so that views are complete. */
class WithoutSeries implements AsyncDisposable {
  readonly #known = new Map<string, { to: number; until: number }>()

  has(folder: string, to: number, now: number): boolean {
    const known = this.#known.get(folder)
    return known !== undefined && known.until > now && known.to >= to
  }

  add(folder: string, to: number, now: number): void {
    this.#known.set(folder, { to, until: now + withoutMs })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#known.clear()
  }
}

const isOccurrence = ({ item }: Entry): boolean =>
  item.CalendarItemType === 'Occurrence' || item.CalendarItemType === 'Exception'
export const isSeries = ({ item }: Entry): boolean => item.CalendarItemType === 'RecurringMaster'

/** What a view reveals about its server; undefined if it contains no series. */
function shownIn(entries: readonly Entry[]): boolean | undefined {
  if (entries.some(isSeries)) return false
  return entries.some(isOccurrence) ? true : undefined
}

async function drain(pieces: AsyncGenerator<Entry[]>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const some of pieces) all.push(...some)
  return all
}

const hour = 3600

/** How the server returns a series in a view at its own start. */
async function shownOf(session: Session, folder: AnyFolderId, { start, item }: Entry): Promise<boolean> {
  const from = Math.floor(start / 1000)
  const to = Math.max(Math.ceil((item.End ?? start) / 1000), from) + hour
  return shownIn(await drain(viewEntries(session, { folder }, { from: from - hour, to }))) ?? true
}

/** The series that a view of a window lacks, at a server that does not list occurrences. */
export async function missingSeries(
  session: Session,
  folder: AnyFolderId,
  entries: readonly Entry[],
  window: EventWindow,
): Promise<Entry[]> {
  const { grant, io } = session
  const traits = io.shared('views', () => new SeriesTraits())
  const { url } = accountOf(grant.settings, grant.email, io.providerUrl)
  const now = io.clock.now()
  const known = shownIn(entries) ?? traits.find(url, now)
  if (known !== undefined) traits.keep(url, known, now)
  const without = io.retained('calendars without series', () => new WithoutSeries())
  if (known === true || (known === undefined && without.has(folder.Id, window.to, now))) return []
  const series = await drain(seriesEntries(session, folder, window))
  const [first] = series
  if (first === undefined) {
    without.add(folder.Id, window.to, now)
    return []
  }
  const shows = known ?? (await shownOf(session, folder, first))
  traits.keep(url, shows, now)
  if (shows) return []
  const there = new Set(entries.map(({ id }) => id))
  return series.filter(({ id }) => !there.has(id))
}
