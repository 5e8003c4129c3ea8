/**
 * Applies a CANCEL to a guest's copy (RFC 5546 §3.2.5). Pure. The event stays with status CANCELLED, so that users
 * can see what happened; an occurrence of a series is removed. If the mail names guests, it applies to those alone.
 * They were removed from the guest list, or the event is cancelled; both have the same effect on their copy.
 */
import { isInvited } from '../icalendar/attendee-changes.ts'
import { type CalendarObject, eventsOf, readCalendarObject } from '../icalendar/calendar-object.ts'
import { cancelOccurrence } from '../icalendar/calendar-object-changes.ts'
import { occurrenceAtSlot } from '../icalendar/calendar-occurrences.ts'
import { putProperty } from '../icalendar/content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item, writeItems } from '../icalendar/content-lines.ts'
import { plain, utcTime } from '../icalendar/icalendar.ts'
import { copyVersion, isNewer, type Version, versionOf, withVersion } from '../icalendar/versions.ts'
import { Steps } from '../recurrence/steps.ts'
import { componentKey, type ItipContext, nothing, type Outcome, ownOrganizer, partsOf } from './objects.ts'

/** The text is parsed for each occurrence, so parsing counts. */
const CHARACTERS_PER_STEP = 20

/** The copy after a CANCEL from its organizer. */
export function applyCancel(stored: CalendarObject | undefined, mail: CalendarObject, context: ItipContext): Outcome {
  if (!stored) return nothing('there is no such event')
  const [organizer, known] = [ownOrganizer(mail, context), ownOrganizer(stored, { ...context, sender: undefined })]
  if ('why' in organizer) return nothing(organizer.why)
  if ('why' in known) return nothing(known.why)
  if (known.address !== organizer.address) return nothing('the event has another organizer')
  const meant = partsOf(mail).filter((part) => concerns(part, context))
  if (meant.length === 0) return nothing('it is for other guests')
  const keyOf = componentKey(stored, context.zone)
  const keys = new Map(meant.map((part) => [keyOf(part, mail), versionOf(part)]))
  const whole = keys.get('')
  if (whole) return cancelAll(stored, whole)
  return cancelOccurrences(stored, keys, context)
}

function cancelOccurrences(
  stored: CalendarObject,
  keys: ReadonlyMap<string | undefined, Version>,
  context: ItipContext,
): Outcome {
  const before = writeItems(stored.items)
  const steps = new Steps()
  let text = before
  for (const [slot, version] of keys) {
    steps.take(Math.ceil(text.length / CHARACTERS_PER_STEP))
    const object = readCalendarObject(text, steps)
    if (slot !== undefined && object) text = withoutOccurrence(object, slot, version, context) ?? text
  }
  return text === before ? nothing('it is known already, or older than what is there') : { change: 'write', text }
}

/** Removes the occurrence from a series. A copy with single occurrences keeps it, with status CANCELLED. */
function withoutOccurrence(
  object: CalendarObject,
  slot: string,
  version: Version,
  context: ItipContext,
): string | undefined {
  const keyOf = componentKey(object, context.zone)
  const override = object.overrides.find((part) => keyOf(part, object) === slot)
  const compared = override ?? object.master
  if (!compared || isOlder(version, copyVersion(compared))) return undefined
  if (object.master) {
    if (!occurrenceAtSlot(eventsOf(object, context), slot, { ...context, steps: object.steps })) return undefined
    return cancelOccurrence(object, slot, { ...context, organizer: { email: '', name: null } })
  }
  return isCancelled(compared) ? undefined : replaced(object, new Map([[compared, asCancelled(compared, version)]]))
}

/** A CANCEL of an occurrence may have the SEQUENCE and DTSTAMP of its series. */
const isOlder = (a: Version, b: Version): boolean => isNewer(b, a)

const concerns = (part: ComponentNode, { addresses }: ItipContext): boolean =>
  part.line('ATTENDEE') === undefined || isInvited(part, addresses)

function cancelAll(stored: CalendarObject, version: Version): Outcome {
  const parts = partsOf(stored)
  if (parts.every(isCancelled)) return nothing('it is known already')
  if (!parts.some((part) => !isOlder(version, copyVersion(part)))) return nothing('it is not newer than what is there')
  const cancelled = new Map<Item, Item>(parts.map((part) => [part, asCancelled(part, version)]))
  return { change: 'write', text: replaced(stored, cancelled) }
}

const isCancelled = (part: ComponentNode): boolean => part.line('STATUS')?.value.trim().toUpperCase() === 'CANCELLED'

/** Alarms are removed, because the event does not take place. */
function asCancelled(part: ComponentNode, version: Version): ComponentNode {
  const lines = part.items.filter((item) => item instanceof ContentLine)
  const known = copyVersion(part)
  const newest = isNewer(version, known) ? version : known
  const stamped = [
    plain('STATUS', 'CANCELLED'),
    plain('SEQUENCE', String(newest.sequence)),
    utcTime('DTSTAMP', newest.stamp),
  ].reduce<Item[]>((items, property) => putProperty(items, property), withVersion(lines, newest))
  return part.with(stamped)
}

function replaced(stored: CalendarObject, by: ReadonlyMap<Item, Item>): string {
  const calendar = stored.calendar.with(stored.calendar.items.map((item) => by.get(item) ?? item))
  return writeItems(stored.items.map((item) => (item === stored.calendar ? calendar : item)))
}
