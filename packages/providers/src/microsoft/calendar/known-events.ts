/**
 * The records of a watch about the events of a calendar, stored in its cursor: the version of each event, and the
 * changed and deleted occurrences of a series. Ids of a mailbox share a prefix, which is stored once. Pure.
 */

export interface KnownEvent {
  /** Its version. */
  v: string
  /** The day on which it ends, as a number; absent if it never ends. */
  e?: number
  /** It is a series. */
  s?: 1
  /** Of a series: the days whose occurrences were deleted. */
  c?: string[]
  /** Of a series: the versions of its changed occurrences, by id. */
  x?: Record<string, string>
}

export type KnownEvents = Map<string, KnownEvent>

export interface StoredEvents {
  prefix: string
  events: Record<string, KnownEvent>
}

const commonPrefix = (ids: readonly string[]): string => {
  const [first = '', ...others] = ids
  let length = first.length
  for (const id of others) {
    while (!id.startsWith(first.slice(0, length))) length -= 1
  }
  return first.slice(0, length)
}

export function storedEvents(known: KnownEvents): StoredEvents {
  const exceptions = [...known.values()].flatMap(({ x = {} }) => Object.keys(x))
  const prefix = commonPrefix([...known.keys(), ...exceptions])
  const cut = (id: string): string => id.slice(prefix.length)
  const events = [...known].map(([id, event]) => [
    cut(id),
    event.x ? { ...event, x: Object.fromEntries(Object.entries(event.x).map(([each, v]) => [cut(each), v])) } : event,
  ])
  return { prefix, events: Object.fromEntries(events) }
}

export function knownEvents({ prefix, events }: StoredEvents): KnownEvents {
  return new Map(
    Object.entries(events).map(([id, event]): [string, KnownEvent] => [
      prefix + id,
      event.x
        ? { ...event, x: Object.fromEntries(Object.entries(event.x).map(([each, v]) => [prefix + each, v])) }
        : event,
    ]),
  )
}
