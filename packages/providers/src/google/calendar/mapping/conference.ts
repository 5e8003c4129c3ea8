/** Maps Google's conference data to the API, and back. Pure. */
import type { Conferencing } from '@waypost/contract'
import { conferenceProviderIn, joinAddressIn } from '@waypost/formats/icalendar/conference-lines'
import type { GoogleConference, GoogleEntryPoint, GoogleEvent } from '../calendar-api.ts'

type Details = NonNullable<Conferencing['details']>

function providerOf({ conferenceSolution }: GoogleConference, url: string): string {
  const type = conferenceSolution?.key?.type ?? ''
  if (type === 'hangoutsMeet') return 'Google Meet'
  const name = conferenceSolution?.name ?? ''
  return conferenceProviderIn(name) ?? conferenceProviderIn(url) ?? (name || 'unknown')
}

const meetingCode = ({ meetingCode, accessCode }: GoogleEntryPoint): string | undefined => meetingCode ?? accessCode

/** A phone number as a person dials it. */
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

/** How to join an event: its conference, or a meeting URL in its location or description. */
export function conferencingOf(event: GoogleEvent): Conferencing | undefined {
  const { conferenceData, hangoutLink } = event
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')
  const url = video?.uri ?? (conferenceData || hangoutLink ? hangoutLink : undefined)
  if (url !== undefined) {
    const data = conferenceData ?? { conferenceSolution: { key: { type: 'hangoutsMeet' } } }
    return { provider: providerOf(data, url), details: detailsOf(data, url) }
  }
  return joinAddressIn(event.location, event.description)
}

/** A conference that the client described. */
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
