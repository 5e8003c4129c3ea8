// Teams meetings without an event. https://learn.microsoft.com/graph/api/application-post-onlinemeetings

import { parseTimestamp } from '../../shared/calendar/event-time.ts'
import { UTC } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import { accessDenied, GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { mailboxRoutes } from '../part.ts'
import { newJoinUrl } from './online-meeting.ts'

const SCOPES = ['OnlineMeetings.ReadWrite', 'OnlineMeetings.ReadWrite.All']
const HOUR = 3_600_000

const meetings = new WeakMap<AccountOwner, Map<string, JsonObject>>()

function meetingsOf({ owner }: GraphCall): Map<string, JsonObject> {
  const known = meetings.get(owner) ?? new Map<string, JsonObject>()
  meetings.set(owner, known)
  return known
}

function momentOf(value: unknown, fallback: number): string {
  const ms = value === undefined || value === null ? fallback : parseTimestamp(String(value), UTC)
  if (ms === undefined) throw new GraphError(400, 'BadRequest', 'A time of the meeting cannot be read.')
  return new Date(ms).toISOString().replace('.000Z', '.0000000Z')
}

function post(call: GraphCall): GraphAnswer {
  if (isPersonal(call.owner)) throw accessDenied()
  const { startDateTime, endDateTime, subject } = call.json()
  const joinWebUrl = newJoinUrl(call.owner)
  const id = Buffer.from(joinWebUrl).toString('base64url').slice(0, 80)
  const meeting = {
    id,
    creationDateTime: momentOf(undefined, call.now),
    startDateTime: momentOf(startDateTime, call.now),
    endDateTime: momentOf(endDateTime, call.now + HOUR),
    joinUrl: joinWebUrl,
    joinWebUrl,
    subject: typeof subject === 'string' ? subject : null,
    participants: { organizer: { upn: call.owner.email, role: 'presenter' }, attendees: [] },
  }
  meetingsOf(call).set(id, meeting)
  return { status: 201, json: meeting }
}

function find(call: GraphCall): JsonObject {
  const meeting = meetingsOf(call).get(call.params.meetingId ?? '')
  if (meeting === undefined) throw new GraphError(404, 'NotFound', 'The meeting was not found.')
  return meeting
}

function remove(call: GraphCall): GraphAnswer {
  meetingsOf(call).delete(String(find(call).id))
  return {}
}

export const onlineMeetingsRoutes: readonly GraphRoute[] = [
  ...mailboxRoutes('POST /onlineMeetings', SCOPES, post),
  ...mailboxRoutes('GET /onlineMeetings/:meetingId', ['OnlineMeetings.Read', ...SCOPES], (call) => ({
    json: find(call),
  })),
  ...mailboxRoutes('DELETE /onlineMeetings/:meetingId', SCOPES, remove),
]
