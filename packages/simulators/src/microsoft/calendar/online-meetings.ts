// Online meetings of Teams, outside a calendar. https://learn.microsoft.com/graph/api/application-post-onlinemeetings
import { randomInt, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphCall, GraphRoute } from '../http.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { type GraphPart, mailboxRoutes } from '../part.ts'
import { newJoinUrl } from './online-meeting.ts'

const SCOPES = ['OnlineMeetings.ReadWrite', 'OnlineMeetings.ReadWrite.All']
const meetings = new WeakMap<AccountOwner, Map<string, JsonObject>>()

/** The meetings of an account, oldest first. */
export const onlineMeetingsOf = (owner: AccountOwner): JsonObject[] => [...(meetings.get(owner)?.values() ?? [])]

function meetingsOf(owner: AccountOwner): Map<string, JsonObject> {
  if (isPersonal(owner)) throw new GraphError(403, 'Forbidden', 'Online meetings need a work or school account.')
  const known = meetings.get(owner) ?? new Map<string, JsonObject>()
  meetings.set(owner, known)
  return known
}

/** The time of a property, or `fallback`. */
function timeOf(value: unknown, name: string, fallback: number): string {
  if (value === undefined) return new Date(fallback).toISOString()
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) {
    throw badRequest(`Invalid value specified for property '${name}' of resource 'onlineMeeting'.`)
  }
  return new Date(value).toISOString()
}

function create({ owner, now, json }: GraphCall) {
  const known = meetingsOf(owner)
  const body = json()
  const id = Buffer.from(`1*${randomUUID()}*0**19:meeting_${randomUUID()}@thread.v2`).toString('base64')
  const start = timeOf(body.startDateTime, 'startDateTime', now)
  const end = timeOf(body.endDateTime, 'endDateTime', Date.parse(start) + 3_600_000)
  if (Date.parse(end) < Date.parse(start)) throw badRequest('The end time must be after the start time.')
  const meeting: JsonObject = {
    allowedPresenters: 'everyone',
    lobbyBypassSettings: { scope: 'organization', isDialInBypassEnabled: false },
    subject: null,
    ...body,
    id,
    creationDateTime: new Date(now).toISOString(),
    startDateTime: start,
    endDateTime: end,
    joinWebUrl: newJoinUrl(owner),
    participants: { organizer: { upn: owner.email, role: 'presenter' }, attendees: [] },
    joinMeetingIdSettings: {
      isPasscodeRequired: true,
      joinMeetingId: String(randomInt(100_000_000_000, 999_999_999_999)),
      passcode: randomUUID().slice(0, 6),
    },
    audioConferencing: null,
  }
  known.set(id, meeting)
  return { status: 201, json: meeting }
}

function find({ owner, params }: GraphCall): JsonObject {
  const meeting = meetingsOf(owner).get(params.meetingId ?? '')
  if (meeting === undefined) throw new GraphError(404, 'NotFound', 'The online meeting does not exist.')
  return meeting
}

function remove(call: GraphCall) {
  meetingsOf(call.owner).delete(String(find(call).id))
  return { status: 204 }
}

const routes: GraphRoute[] = [
  ...mailboxRoutes('POST /onlineMeetings', SCOPES, create),
  ...mailboxRoutes('GET /onlineMeetings/:meetingId', ['OnlineMeetings.Read', ...SCOPES], (call) => ({
    json: find(call),
  })),
  ...mailboxRoutes('DELETE /onlineMeetings/:meetingId', SCOPES, remove),
]

export const onlineMeetingsPart: GraphPart = { routes, subscribable: [] }
