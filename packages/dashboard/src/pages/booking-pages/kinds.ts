/** The four kinds of booking pages, and how the API expresses them. Pure. */
import type { Configuration } from '@waypost/sdk'

export const kinds = [
  ['one-on-one', 'One-on-one', 'A guest meets one host.'],
  ['collective', 'Collective', 'A guest meets all hosts together. Everyone must be free.'],
  ['round-robin', 'Round robin', 'A guest meets one of several hosts. Bookings are shared among them.'],
  ['group', 'Group', 'Many guests join the same event until it is full.'],
] as const

export type Kind = (typeof kinds)[number][0]

export const methods = [
  ['max-availability', 'The first host who is free'],
  ['max-fairness', 'The host who was booked least recently'],
] as const
export type RoundRobinMethod = (typeof methods)[number][0]

export const kindName = (kind: Kind): string => kinds.find(([each]) => each === kind)?.[1] ?? kind

type Participant = Configuration['participants'][number]

/** Whether a participant's calendar is checked or gets the event. Others are only invited. */
export const isHost = ({ availability, booking }: Participant): boolean =>
  (availability?.calendar_ids?.length ?? 0) > 0 || Boolean(booking?.calendar_id)

export function kindOf({
  type,
  participants,
  availability,
}: Pick<Configuration, 'type' | 'participants' | 'availability'>): Kind {
  if (type === 'group') return 'group'
  const method = availability.availability_rules?.availability_method
  if (method === 'max-fairness' || method === 'max-availability') return 'round-robin'
  return participants.filter(isHost).length > 1 ? 'collective' : 'one-on-one'
}

/** The person whose page it is: the organizer, or else the first host. */
export const ownerOf = ({ participants }: Pick<Configuration, 'participants'>): Participant | undefined =>
  participants.find(({ is_organizer }) => is_organizer) ?? participants.find(isHost) ?? participants[0]
