/** The calendars of an account: the calendar folders of its mailbox, except those in Deleted Items. */
import type { ApiError } from '@waypost/platform/api-error'
import { noCalendar } from '../../calendar/exchange/refusals.ts'
import { EwsError, isMissing } from '../errors.ts'
import { folderPaths, listFolders, subtreeOf } from '../folder-list.ts'
import { GetFolder } from '../operations/folders.ts'
import type { Session } from '../session.ts'
import type { Folder } from '../types/folder.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { type WellKnownIds, wellKnownIds } from '../well-known-folders.ts'
import { calendarFolder } from './calendar-api.ts'
import { compareCalendars, fromFolder, isCalendar, type KnownCalendar, positionOf } from './mapping/calendar.ts'

/** Maps an error that means that there is no such object. */
export const asMissing = (error: unknown, missing: () => ApiError): unknown =>
  isMissing(error) ||
  (error instanceof EwsError && error.responseCode === 'ErrorCalendarFolderIsInvalidForCalendarView')
    ? missing()
    : error

const rights = [field('folder:EffectiveRights')]
const shape = idAnd(...folderPaths, ...rights)

export async function readCalendar(session: Session, id: string): Promise<KnownCalendar> {
  const wanted = calendarFolder(session, id)
  if (!wanted) throw noCalendar()
  try {
    const [known, { Folders }] = await Promise.all([
      wellKnownIds(session),
      session.call(GetFolder, { FolderShape: shape, FolderIds: [wanted] }),
    ])
    const folder = Folders?.[0]
    if (!folder || !isCalendar(folder) || folder.ParentFolderId?.Id === known.get('deleteditems')) throw noCalendar()
    return fromFolder(folder, known.get('calendar'))
  } catch (error) {
    throw asMissing(error, noCalendar)
  }
}

/** The calendars among all folders of a mailbox. */
export function calendarsAmong(folders: readonly Folder[], wellKnown: WellKnownIds): Folder[] {
  const trash = subtreeOf(folders, wellKnown.get('deleteditems') ?? '')
  return folders.filter((folder) => isCalendar(folder) && !trash.has(folder.FolderId?.Id ?? ''))
}

/** All calendars, the primary one first and then by name. */
export async function listCalendars(session: Session): Promise<KnownCalendar[]> {
  const [known, folders] = await Promise.all([wellKnownIds(session), listFolders(session, { also: rights })])
  return calendarsAmong(folders, known)
    .map((each) => fromFolder(each, known.get('calendar')))
    .sort((a, b) => compareCalendars(positionOf(a), positionOf(b)))
}
