import { ApiError, invalidField } from '@waypost/platform/api-error'
import { z } from 'zod'
import { nameTaken, noCalendar } from '../../calendar/exchange/refusals.ts'
import type { Operations } from '../../operations.ts'
import { hasCode } from '../errors.ts'
import { ourId, theirId } from '../ids.ts'
import { CreateFolder, DeleteFolder, UpdateFolder } from '../operations/folders.ts'
import type { Session } from '../session.ts'
import { setFolderField } from '../types/changes.ts'
import { distinguished, folder } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { freeBusy } from './free-busy.ts'
import { asMissing, listCalendars, readCalendar } from './known-calendars.ts'
import { compareCalendars, type KnownCalendar, positionOf, shownCalendar } from './mapping/calendar.ts'

/**
 * A page begins after a calendar, by its order and id, so that calendars created or deleted meanwhile do not shift
 * it.
 */
const Position = z.tuple([z.boolean(), z.string(), z.string()])

async function create(session: Session, name: string): Promise<KnownCalendar> {
  const { Folders } = await session.call(CreateFolder, {
    ParentFolderId: distinguished('calendar'),
    Folders: [{ kind: 'CalendarFolder', DisplayName: name }],
  })
  return readCalendar(session, ourId(Folders?.[0]?.FolderId?.Id ?? ''))
}

async function rename(session: Session, { id }: KnownCalendar, name: string): Promise<void> {
  const named = setFolderField(field('folder:DisplayName'), { kind: 'CalendarFolder', DisplayName: name })
  await session.call(UpdateFolder, { FolderChanges: [{ Id: folder(theirId(id) ?? ''), Updates: [named] }] })
}

async function remove(session: Session, { id }: KnownCalendar): Promise<void> {
  await session.call(DeleteFolder, { DeleteType: 'MoveToDeletedItems', FolderIds: [folder(theirId(id) ?? '')] })
}

const asTaken = (error: unknown): unknown =>
  error instanceof ApiError && hasCode(error, 'ErrorFolderExists') ? nameTaken(error) : error

export const calendars: Operations<Session>['calendars'] = {
  async list(session, query, position) {
    const all = await listCalendars(session)
    const after = position === undefined ? undefined : Position.parse(position)
    const left = after ? all.filter((one) => compareCalendars(positionOf(one), after) > 0) : all
    const shown = left.slice(0, query.limit)
    const items = shown.map((one) => shownCalendar(one, session.grant))
    const last = shown.at(-1)
    return last && shown.length < left.length ? { items, next: positionOf(last) } : { items }
  },
  get: async (session, at) => shownCalendar(await readCalendar(session, at.calendar_id), session.grant),
  async create(session, { name }, { once } = {}) {
    try {
      return shownCalendar(await create(session, name), session.grant)
    } catch (error) {
      // Names of folders are unique in Exchange, so an existing one may be the result of an earlier attempt.
      const isThere = once?.again && hasCode(error, 'ErrorFolderExists')
      const made = isThere ? (await listCalendars(session)).find((one) => one.name === name) : undefined
      if (made) return shownCalendar(made, session.grant)
      throw asTaken(error)
    }
  },
  async update(session, at, { name }) {
    const before = await readCalendar(session, at.calendar_id)
    if (name === undefined || name === before.name) return shownCalendar(before, session.grant)
    try {
      await rename(session, before, name)
      return shownCalendar({ ...before, name }, session.grant)
    } catch (error) {
      throw asMissing(asTaken(error), noCalendar)
    }
  },
  async delete(session, at) {
    const calendar = await readCalendar(session, at.calendar_id)
    if (calendar.isPrimary) throw invalidField('calendar_id', 'the primary calendar cannot be deleted')
    try {
      await remove(session, calendar)
    } catch (error) {
      if (!hasCode(error, 'ErrorFolderExists')) throw asMissing(error, noCalendar)
      // Deleted Items already contains a folder of this name, so the calendar is renamed first, as Outlook does.
      await rename(session, calendar, `${calendar.name} ${new Date(session.io.clock.now()).toISOString()}`)
      await remove(session, calendar)
    }
  },
  freeBusy,
}
