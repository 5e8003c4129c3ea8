// Teams meetings of events. Once an event has one, requests to change it are ignored. It ends only if a new body
// omits the link.
import { randomBytes, randomInt } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { appendHtml } from './body.ts'
import { invalidProperty } from './recurrence.ts'
import type { EventContent } from './state.ts'

const providers = ['unknown', 'skypeForBusiness', 'skypeForConsumer', 'teamsForBusiness']

export interface OnlineDraft {
  readonly isOnlineMeeting?: boolean
  readonly provider?: string
}

export function parseOnline(body: JsonObject): OnlineDraft {
  const { isOnlineMeeting, onlineMeetingProvider } = body
  if (isOnlineMeeting !== undefined && isOnlineMeeting !== null && typeof isOnlineMeeting !== 'boolean') {
    throw invalidProperty('isOnlineMeeting')
  }
  const provider = onlineMeetingProvider ?? undefined
  if (provider !== undefined && !providers.includes(String(provider))) throw invalidProperty('onlineMeetingProvider')
  return {
    isOnlineMeeting: isOnlineMeeting ?? undefined,
    provider: provider === undefined ? undefined : String(provider),
  }
}

type Online = Pick<EventContent, 'body' | 'locations' | 'isOnlineMeeting' | 'onlineMeetingProvider' | 'onlineMeeting'>

/** Applies a body's online meeting fields to an event. Personal accounts have no meetings. */
export function withOnline<E extends Online>(event: E, draft: OnlineDraft, organizer: AccountOwner): E {
  if (event.isOnlineMeeting) return keepsLink(event) ? event : { ...event, ...noMeeting }
  if (draft.isOnlineMeeting !== true || isPersonal(organizer)) return event
  // Work accounts support only Teams; a request for another provider is ignored.
  if (draft.provider !== undefined && draft.provider !== 'teamsForBusiness' && draft.provider !== 'unknown')
    return event
  const joinUrl = newJoinUrl(organizer)
  const conferenceId = String(randomInt(100_000_000, 999_999_999))
  const location = {
    displayName: teamsLocation,
    locationType: 'default',
    uniqueId: teamsLocation,
    uniqueIdType: 'private',
  }
  return {
    ...event,
    isOnlineMeeting: true,
    onlineMeetingProvider: 'teamsForBusiness',
    onlineMeeting: { joinUrl, conferenceId, tollNumber: '+44 20 7946 0000' },
    locations: event.locations.length > 0 ? event.locations : [location],
    body: appendHtml(
      event.body,
      `<div class="me-email-text" lang="en-US"><a href="${joinUrl}">Join the meeting now</a><br>Meeting ID: ${conferenceId}</div>`,
    ),
  }
}

const teamsLocation = 'Microsoft Teams Meeting'
const noMeeting = { isOnlineMeeting: false, onlineMeetingProvider: 'unknown', onlineMeeting: null } as const

function keepsLink({ body, onlineMeeting }: Online): boolean {
  return body.content.includes(String(onlineMeeting?.joinUrl))
}

export function newJoinUrl({ id }: AccountOwner): string {
  const thread = `19:meeting_${randomBytes(24).toString('base64url')}@thread.v2`
  const context = JSON.stringify({ Tid: '72f988bf-86f1-41af-91ab-2d7cd011db47', Oid: id })
  return `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(thread)}/0?context=${encodeURIComponent(context)}`
}
