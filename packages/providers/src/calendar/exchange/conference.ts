/**
 * How to join an event: the meeting that Graph created, one that a client described, or an address in the text. Pure.
 */
import type { Conferencing } from '@waypost/contract'
import { conferenceProviderIn, joinAddressIn } from '@waypost/formats/icalendar/conference-lines'
import { descriptionOf } from './description.ts'
import type { ExchangeEvent } from './event-model.ts'
import { ownFieldsOf } from './own-property.ts'

const providers: Readonly<Record<string, string>> = {
  teamsForBusiness: 'Microsoft Teams',
  skypeForBusiness: 'Skype for Business',
  skypeForConsumer: 'Skype for Consumer',
}

function onlineMeetingOf({ onlineMeeting, onlineMeetingProvider = '', onlineMeetingUrl }: ExchangeEvent) {
  const url = onlineMeeting?.joinUrl ?? onlineMeetingUrl
  if (!url) return undefined
  const { conferenceId, tollNumber, tollFreeNumbers = [], phones = [] } = onlineMeeting ?? {}
  const numbers = [tollNumber, ...tollFreeNumbers, ...phones.map(({ number }) => number)].filter((one) => !!one)
  const phone = [...new Set(numbers)].filter((one) => one !== undefined)
  return {
    provider: providers[onlineMeetingProvider] ?? conferenceProviderIn(url) ?? 'unknown',
    details: {
      url,
      ...(conferenceId ? { meeting_code: conferenceId } : {}),
      ...(phone.length > 0 ? { phone } : {}),
    },
  }
}

export function conferencingOf(event: ExchangeEvent): Conferencing | undefined {
  return (
    onlineMeetingOf(event) ??
    ownFieldsOf(event).conferencing ??
    joinAddressIn(event.location?.displayName, descriptionOf(event) ?? undefined)
  )
}
