// Video meetings of events: created immediately when `createRequest` asks for one.
// https://developers.google.com/workspace/calendar/api/guides/create-events#conferencing
import { randomBytes } from 'node:crypto'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { invalid } from './event-body.ts'

const meetIcon =
  'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png'

/** The fields of an event after its conference was created, changed or removed. */
export function withConference(fields: JsonObject, before: JsonObject, version: number): JsonObject {
  const { conferenceData: requested, hangoutLink: _, ...rest } = fields
  const had = {
    ...(before.conferenceData !== undefined && { conferenceData: before.conferenceData }),
    ...(before.hangoutLink !== undefined && { hangoutLink: before.hangoutLink }),
  }
  if (version < 1) return { ...rest, ...had }
  if (!isObject(requested)) return rest
  const request = requested.createRequest
  if (!isObject(request)) return { ...rest, ...had, conferenceData: checkConference(requested) }
  if (isMade(before.conferenceData, request.requestId)) return { ...rest, ...had }
  return { ...rest, ...makeMeeting(request) }
}

function isMade(conference: unknown, requestId: unknown): boolean {
  return isObject(conference) && isObject(conference.createRequest) && conference.createRequest.requestId === requestId
}

function checkConference(conference: JsonObject): JsonObject {
  if (!isObject(conference.conferenceSolution) || !Array.isArray(conference.entryPoints)) {
    throw invalid('Invalid conference data.')
  }
  return conference
}

function makeMeeting(request: JsonObject): JsonObject {
  const key = isObject(request.conferenceSolutionKey) ? request.conferenceSolutionKey.type : 'hangoutsMeet'
  if (typeof request.requestId !== 'string' || request.requestId === '') throw invalid('Missing conference request id.')
  if (key !== 'hangoutsMeet') throw invalid('Invalid conference type value.')
  const letters = [...randomBytes(10)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
  const code = `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`
  const uri = `https://meet.google.com/${code}`
  return {
    hangoutLink: uri,
    conferenceData: {
      createRequest: {
        requestId: request.requestId,
        conferenceSolutionKey: { type: key },
        status: { statusCode: 'success' },
      },
      entryPoints: [{ entryPointType: 'video', uri, label: `meet.google.com/${code}` }],
      conferenceSolution: { key: { type: key }, name: 'Google Meet', iconUri: meetIcon },
      conferenceId: code,
    },
  }
}
