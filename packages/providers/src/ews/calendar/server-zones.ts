/** The time zones that a server knows by name: they differ by version and updates. */
import { ApiError } from '@waypost/platform/api-error'
import type { ExchangeFields } from '../../calendar/exchange/event-model.ts'
import { hasCode } from '../errors.ts'
import { accountOf } from '../login.ts'
import { GetServerTimeZones } from '../operations/calendar.ts'
import type { Session } from '../session.ts'
import type { ZoneFor } from './mapping/event-fields.ts'
import { definitionOf } from './mapping/zones.ts'

/** How long the list is cached, in milliseconds. */
const knownMs = 86_400_000
const maxServers = 10_000

interface KnownZones {
  until: number
  /** Undefined if the server does not report them; it is then assumed to know all Windows zones. */
  ids: ReadonlySet<string> | undefined
}

class ServerZones {
  readonly #byServer = new Map<string, KnownZones>()

  find(server: string, now: number): KnownZones | undefined {
    const known = this.#byServer.get(server)
    return known && known.until > now ? known : undefined
  }

  keep(server: string, known: KnownZones): KnownZones {
    if (this.#byServer.size >= maxServers) this.#byServer.clear()
    this.#byServer.set(server, known)
    return known
  }
}

/** A server that does not support the request refuses it. */
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'provider_refused'

async function readIds(session: Session): Promise<ReadonlySet<string> | undefined> {
  try {
    const { TimeZoneDefinitions = [] } = await session.call(GetServerTimeZones, { ReturnFullTimeZoneData: false })
    const ids = TimeZoneDefinitions.flatMap(({ Id }) => (Id ? [Id] : []))
    return ids.length > 0 ? new Set(ids) : undefined
  } catch (error) {
    if (!isUnknown(error)) throw error
    return undefined
  }
}

/** Response codes for an unknown zone. */
const wrongZones = ['ErrorTimeZone', 'ErrorCalendarInvalidTimeZone']

const isElsewhere = (zone: string | undefined): boolean => zone !== undefined && zone !== 'UTC'

/**
 * Writes an event with zones: first by Windows names, which most servers know. If the server refuses them, its list
 * is requested, and zones are written by names from it or by their rules.
 */
export async function withZones<T>(
  session: Session,
  { start, end }: ExchangeFields,
  write: (zoneFor: ZoneFor) => Promise<T>,
): Promise<T> {
  const { grant, io } = session
  const servers = io.shared('time zones', () => new ServerZones())
  const { url } = accountOf(grant.settings, grant.email, io.providerUrl)
  const now = io.clock.now()
  const known = servers.find(url, now)
  const by = (ids: KnownZones['ids']) => write((name, at) => definitionOf(name, at, ids))
  try {
    return await by(known?.ids)
  } catch (error) {
    const isNamed = isElsewhere(start?.timeZone) || isElsewhere(end?.timeZone)
    if (known || !isNamed || !hasCode(error, ...wrongZones)) throw error
    const { ids } = servers.keep(url, { until: now + knownMs, ids: await readIds(session) })
    if (!ids) throw error
    return by(ids)
  }
}
