/** Scheduling sessions: created by an application for one configuration, used by a browser for some minutes. */
import { hash } from 'node:crypto'
import type { SchedulingSession } from '@waypost/contract'
import { type Clock, seconds } from '@waypost/platform/clock'
import { newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  getSchedulingSession,
  insertSchedulingSession,
  removeSchedulingSession,
  type SchedulingSessionRow,
} from '@waypost/store/tables/scheduling/sessions'
import { bearerIn } from '../applications/api-keys.ts'
import type { ConfigurationRecord } from './configurations.ts'

export const defaultMinutes = 5

interface SessionServices {
  database: Queries
  clock: Clock
}

const sessionOf = (id: string, row: SchedulingSessionRow): SchedulingSession => ({
  session_id: id,
  configuration_id: row.configuration_id,
  expires_at: seconds(row.expires_at),
  created_at: seconds(row.created_at),
})

export async function createSchedulingSession(
  tx: Queries,
  { applicationId, id: configurationId }: Pick<ConfigurationRecord, 'applicationId' | 'id'>,
  { now, minutes }: { now: number; minutes: number },
): Promise<SchedulingSession> {
  const id = newSessionId(applicationId)
  const row: SchedulingSessionRow = {
    hash: hashSessionId(id),
    application_id: applicationId,
    configuration_id: configurationId,
    created_at: now,
    expires_at: now + minutes * 60_000,
  }
  await insertSchedulingSession(tx, row)
  return sessionOf(id, row)
}

/** The session of an id that has not expired. The id names its application. */
export async function findSchedulingSession(
  { database, clock }: SessionServices,
  id: string,
): Promise<SchedulingSessionRow | undefined> {
  const applicationId = applicationOfSession(id)
  if (applicationId === undefined) return undefined
  return getSchedulingSession(database, { applicationId, hash: hashSessionId(id), now: clock.now() })
}

/** A session of one application. */
export async function readSchedulingSession(
  { database, clock }: SessionServices,
  applicationId: string,
  id: string,
): Promise<SchedulingSession | undefined> {
  const row = await getSchedulingSession(database, { applicationId, hash: hashSessionId(id), now: clock.now() })
  return row && sessionOf(id, row)
}

export const endSchedulingSession = (
  tx: Queries,
  { applicationId, id, now }: { applicationId: string; id: string; now: number },
): Promise<boolean> => removeSchedulingSession(tx, { applicationId, hash: hashSessionId(id), now })

/**
 * Ids of scheduling sessions: `wpss_<application id>_<256 random bits>`. Browsers send one as bearer token. It names its
 * application, so that the lookup reads the rows of that application only; the random part makes it unguessable. The store
 * has only a hash.
 */
const prefix = 'wpss_'
const form = /^wpss_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[\w-]{43}$/

export const newSessionId = (applicationId: string): string => `${prefix}${applicationId}_${newToken()}`

/** The stored form. The random part has 256 bits, so a plain hash cannot be reversed. */
const hashSessionId = (id: string): string => hash('sha256', id, 'hex')

/** The application of a session id; undefined for any other text. */
const applicationOfSession = (id: string): string | undefined => form.exec(id)?.[1]

/** The bearer token of a request if it begins like a session id. */
export const sessionIdIn = (authorization: string | null): string | undefined => {
  const token = bearerIn(authorization)
  return token?.startsWith(prefix) ? token : undefined
}
