/** How to join: Google's conference data as ours, and back. Pure. */
import type { Conferencing } from '@waypost/contract'
import type { GoogleConference, GoogleEntryPoint, GoogleEvent } from '../calendar-api.ts'

/** Names of providers as clients know them, by what Google or an address calls them. */
const providers: readonly [RegExp, string][] = [
  [/meet\.google\.com|google meet|hangouts ?meet/i, 'Google Meet'],
  [/zoom/i, 'Zoom Meeting'],
  [/teams for business/i, 'Teams for Business'],
  [/teams/i, 'Microsoft Teams'],
  [/webex/i, 'WebEx'],
  [/goto(?:meeting|\.com)|gotomeet/i, 'GoToMeeting'],
  [/skype for business/i, 'Skype for Business'],
  [/skype/i, 'Skype for Consumer'],
]

const providerNamed = (text: string): string | undefined => providers.find(([pattern]) => pattern.test(text))?.[1]

const joinAddress =
  /https:\/\/(?:meet\.google\.com\/[a-z-]+|[\w.-]*zoom\.us\/(?:j|my|w|s)\/[^\s"'<>]+|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/[^\s"'<>]+|[\w.-]*webex\.com\/[^\s"'<>]+|(?:global\.gotomeeting\.com|meet\.goto\.com|gotomeet\.me)\/[^\s"'<>]+)/i

type Details = NonNullable<Conferencing['details']>

function providerOf({ conferenceSolution }: GoogleConference, url: string): string {
  const type = conferenceSolution?.key?.type ?? ''
  if (type === 'hangoutsMeet') return 'Google Meet'
  const name = conferenceSolution?.name ?? ''
  return providerNamed(name) ?? providerNamed(url) ?? (name || 'unknown')
}

const meetingCode = ({ meetingCode, accessCode }: GoogleEntryPoint): string | undefined => meetingCode ?? accessCode

/** A number to call, as a person dials it. */
const phoneOf = ({ uri, label }: GoogleEntryPoint): string[] => {
  const number = uri?.replace(/^tel:/i, '') || label
  return number ? [number] : []
}

function detailsOf({ entryPoints = [], conferenceId }: GoogleConference, url: string): Details {
  const video = entryPoints.find(({ entryPointType }) => entryPointType === 'video')
  const phones = entryPoints.filter(({ entryPointType }) => entryPointType === 'phone')
  const password = video?.passcode ?? video?.password
  const pin = video?.pin ?? phones.find((phone) => phone.pin !== undefined)?.pin
  const code = (video && meetingCode(video)) ?? conferenceId
  const numbers = phones.flatMap(phoneOf)
  return {
    url,
    ...(code ? { meeting_code: code } : {}),
    ...(password ? { password } : {}),
    ...(pin ? { pin } : {}),
    ...(numbers.length > 0 ? { phone: numbers } : {}),
  }
}

/** How to join an event: by its conference, or by an address in its place or text. */
export function conferencingOf(event: GoogleEvent): Conferencing | undefined {
  const { conferenceData, hangoutLink } = event
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')
  const url = video?.uri ?? (conferenceData || hangoutLink ? hangoutLink : undefined)
  if (url !== undefined) {
    const data = conferenceData ?? { conferenceSolution: { key: { type: 'hangoutsMeet' } } }
    return { provider: providerOf(data, url), details: detailsOf(data, url) }
  }
  const found = joinAddress.exec(event.location ?? '') ?? joinAddress.exec(event.description ?? '')
  if (!found) return undefined
  return { provider: providerNamed(found[0]) ?? 'unknown', details: { url: found[0].replace(/[.,;)]+$/, '') } }
}

/** A conference that a client described. */
export function toConference({ provider = '', details = {} }: Conferencing): GoogleConference {
  const url = details.url ?? ''
  const meet = provider === 'Google Meet'
  const code = details.meeting_code ?? (meet ? /meet\.google\.com\/([a-z-]+)/i.exec(url)?.[1] : undefined)
  const video: GoogleEntryPoint = {
    entryPointType: 'video',
    uri: url,
    ...(code ? { meetingCode: code } : {}),
    ...(details.password ? { passcode: details.password } : {}),
    ...(details.pin ? { pin: details.pin } : {}),
  }
  const phones = (details.phone ?? []).map(
    (number): GoogleEntryPoint => ({
      entryPointType: 'phone',
      uri: `tel:${number.replace(/[^\d+*#,;]/g, '')}`,
      label: number,
      ...(details.pin ? { pin: details.pin } : {}),
    }),
  )
  return {
    conferenceSolution: { key: { type: meet ? 'hangoutsMeet' : 'addOn' }, name: provider },
    ...(code ? { conferenceId: code } : {}),
    entryPoints: [video, ...phones],
  }
}

/** Whether Google is still making the conference. */
export const isPending = ({ conferenceData }: GoogleEvent): boolean =>
  conferenceData?.createRequest?.status?.statusCode === 'pending'
