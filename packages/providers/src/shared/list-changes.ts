/**
 * Compares the folders or calendars of an account with those recorded at the last poll, for all providers.
 *
 * What counts as a change:
 * - created: the list contains an id that was not recorded;
 * - updated: a notified field differs from its recorded value. Notified fields are `name`, `parent_id` and `attributes` of a
 *   folder, and `name`, `description`, `location` and `timezone` of a calendar. A change of any other field, such as a color
 *   or a message count, is not notified. A provider that never changes a field, or does not return it, does not record it;
 * - deleted: a recorded id that the list lacks, or that the provider reported as deleted.
 *
 * The first poll only records: it notifies nothing. Pure.
 */
import { createHash } from 'node:crypto'
import type { Calendar, Folder } from '@waypost/contract'
import type { Change } from '../provider.ts'

interface Notified {
  folder: { name?: string; parent_id?: string | undefined; attributes?: string }
  calendar: { name?: string; digest?: string }
}

type Kind = keyof Notified

/** What a watch stores of an object: the notified fields that it has, or a digest of all of them. */
export type Recorded<K extends Kind = Kind> = Notified[K]

/** Servers also report the state of a folder as attributes; a folder that gets its first child has not changed. */
const isState = (attribute: string): boolean => /^\\(has(no)?children|noinferiors)$/i.test(attribute)

/** The attributes of a folder, as a watch records them. */
export const recordedAttributes = ({ attributes = [] }: Pick<Folder, 'attributes'>): string =>
  attributes.filter((name) => !isState(name)).join(' ')

const calendarFields = ['name', 'description', 'location', 'timezone'] as const

/** A digest of the notified fields of a calendar, for providers that return all of them. */
export const recordedDigest = (calendar: Calendar): string =>
  createHash('sha256')
    .update(JSON.stringify(calendarFields.map((field) => calendar[field])))
    .digest('base64url')
    .slice(0, 10)

/** Whether a notified field of a calendar differs. */
export const isCalendarChanged = (before: Calendar, after: Calendar): boolean =>
  calendarFields.some((field) => before[field] !== after[field])

/** The notified fields of an object as they are now. */
const currentOf = (object: Folder | Calendar): Record<string, string | undefined> =>
  object.object === 'folder'
    ? { name: object.name, parent_id: object.parent_id, attributes: recordedAttributes(object) }
    : { name: object.name, digest: recordedDigest(object) }

function isChanged(recorded: Recorded, object: Folder | Calendar): boolean {
  const current = currentOf(object)
  return Object.entries(recorded).some(([field, value]) => current[field] !== value)
}

export interface ComparedList<K extends Kind> {
  kind: K
  grantId: string
  /** Milliseconds. */
  happenedAt: number
  /** The objects of the last poll by id; undefined at the first poll. */
  recorded: ReadonlyMap<string, Recorded<K>> | undefined
  /** The objects that the list contains now, or those that the provider reports as changed. */
  listed: readonly (K extends 'folder' ? Folder : Calendar)[]
  /** The ids that were deleted; by default all recorded ones that the list lacks. */
  deleted?: Iterable<string>
}

export function listChanges<K extends Kind>(list: ComparedList<K>): Change[] {
  const { kind, grantId, happenedAt, recorded, listed } = list
  if (!recorded) return []
  const changed = listed.flatMap((object): Change[] => {
    const before = recorded.get(object.id)
    if (before && !isChanged(before, object)) return []
    const what = before ? ('updated' as const) : ('created' as const)
    return [
      object.object === 'folder'
        ? { trigger: `folder.${what}`, object, happenedAt }
        : { trigger: `calendar.${what}`, object, happenedAt },
    ]
  })
  const there = new Set(listed.map(({ id }) => id))
  const deleted = new Set(list.deleted ?? [...recorded.keys()].filter((id) => !there.has(id)))
  const gone = [...deleted].flatMap((id): Change[] => {
    const before = recorded.get(id)
    if (!before) return []
    const about = { id, grant_id: grantId }
    return [
      kind === 'folder'
        ? { trigger: 'folder.deleted', object: { ...about, object: 'folder', name: before.name ?? '' }, happenedAt }
        : { trigger: 'calendar.deleted', object: { ...about, object: 'calendar' }, happenedAt },
    ]
  })
  return [...changed, ...gone]
}
