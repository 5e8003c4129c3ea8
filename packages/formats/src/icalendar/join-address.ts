/** Names of conference providers as clients use them, and join addresses in the texts of an event. Pure. */
import type { Conferencing } from '@waypost/contract'

/** Patterns for the name or address of each provider. */
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

export const conferenceProviderIn = (text: string): string | undefined =>
  providers.find(([pattern]) => pattern.test(text))?.[1]

const joinAddress =
  /https:\/\/(?:meet\.google\.com\/[a-z-]+|[\w.-]*zoom\.us\/(?:j|my|w|s)\/[^\s"'<>]+|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/[^\s"'<>]+|[\w.-]*webex\.com\/[^\s"'<>]+|(?:global\.gotomeeting\.com|meet\.goto\.com|gotomeet\.me)\/[^\s"'<>]+)/i

/** How to join an event through a recognized address in its location or description. */
export function joinAddressIn(location: string | undefined, description: string | undefined): Conferencing | undefined {
  const found = joinAddress.exec(location ?? '') ?? joinAddress.exec(description ?? '')
  if (!found) return undefined
  return {
    provider: conferenceProviderIn(found[0]) ?? 'unknown',
    details: { url: found[0].replaceAll('&amp;', '&').replace(/(?<![.,;)])[.,;)]+$/, '') },
  }
}
