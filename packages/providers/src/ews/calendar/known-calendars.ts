/** The calendars of an account: the calendar folders of its mailbox, except those in Deleted Items. */
import { ApiError } from '@waypost/platform/api-error'
import { EwsError, isMissing } from '../errors.ts'
import { FindFolder, GetFolder } from '../operations/folders.ts'
import type { Session } from '../session.ts'
import type { Folder } from '../types/folder.ts'
import { distinguished } from '../types/ids.ts'
import { field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { calendarFolder } from './calendar-api.ts'
import { compareCalendars, fromFolder, isCalendar, type KnownCalendar, positionOf } from './mapping/calendar.ts'

export const noCalendar = (): ApiError => new ApiError('not_found', 'no calendar with this id')

/** Maps an error that means that there is no such object. */
export const asMissing = (error: unknown, missing: () => ApiError): unknown =>
  isMissing(error) ||
  (error instanceof EwsError && error.responseCode === 'ErrorCalendarFolderIsInvalidForCalendarView')
    ? missing()
    : error

const shape = idAnd(
  field('folder:DisplayName'),
  field('folder:ParentFolderId'),
  field('folder:FolderClass'),
  field('folder:EffectiveRights'),
)
const pageSize = 1000

/** The ids of the primary calendar and of Deleted Items, which never change. */
interface MainFolders {
  calendar: string
  deleted: string
}

class KnownFolders implements AsyncDisposable {
  main: MainFolders | undefined

  async [Symbol.asyncDispose](): Promise<void> {
    this.main = undefined
  }
}

async function readMainFolders(session: Session): Promise<MainFolders> {
  const FolderIds = [distinguished('calendar'), distinguished('deleteditems')]
  const answers = await session.each(GetFolder, { FolderShape: idAnd(), FolderIds })
  const [calendar = '', deleted = ''] = answers.map((answer) => {
    if (answer instanceof EwsError) throw answer
    return answer.Folders?.[0]?.FolderId?.Id
  })
  return { calendar, deleted }
}

async function mainFolders(session: Session): Promise<MainFolders> {
  const known = session.io.retained('main folders', () => new KnownFolders())
  known.main ??= await readMainFolders(session)
  return known.main
}

/** Exchange's id of the primary calendar. */
export const primaryId = async (session: Session): Promise<string> => (await mainFolders(session)).calendar

export async function readCalendar(session: Session, id: string): Promise<KnownCalendar> {
  const wanted = calendarFolder(session, id)
  if (!wanted) throw noCalendar()
  try {
    const [main, { Folders }] = await Promise.all([
      mainFolders(session),
      session.call(GetFolder, { FolderShape: shape, FolderIds: [wanted] }),
    ])
    const folder = Folders?.[0]
    if (!folder || !isCalendar(folder) || folder.ParentFolderId?.Id === main.deleted) throw noCalendar()
    return fromFolder(folder, main.calendar)
  } catch (error) {
    throw asMissing(error, noCalendar)
  }
}

/** All folders of the mailbox, at any depth. */
async function allFolders(session: Session): Promise<Folder[]> {
  const found: Folder[] = []
  for (;;) {
    const { RootFolder: root } = await session.call(FindFolder, {
      Traversal: 'Deep',
      FolderShape: shape,
      View: {
        kind: 'IndexedPageFolderView',
        MaxEntriesReturned: pageSize,
        Offset: found.length,
        BasePoint: 'Beginning',
      },
      ParentFolderIds: [distinguished('msgfolderroot')],
    })
    const folders = root?.Folders ?? []
    found.push(...folders)
    if (root?.IncludesLastItemInRange !== false || folders.length === 0) return found
  }
}

/** Whether a folder is within another, at any depth. */
function liesIn(folder: Folder, place: string, byId: ReadonlyMap<string, Folder>): boolean {
  const seen = new Set<string>()
  for (let above = folder.ParentFolderId?.Id; above !== undefined && !seen.has(above); ) {
    if (above === place) return true
    seen.add(above)
    above = byId.get(above)?.ParentFolderId?.Id
  }
  return false
}

/** All calendars, the primary one first and then by name. */
export async function listCalendars(session: Session): Promise<KnownCalendar[]> {
  const [main, folders] = await Promise.all([mainFolders(session), allFolders(session)])
  const byId = new Map(folders.map((each) => [each.FolderId?.Id ?? '', each]))
  return folders
    .filter((each) => isCalendar(each) && !liesIn(each, main.deleted, byId))
    .map((each) => fromFolder(each, main.calendar))
    .sort((a, b) => compareCalendars(positionOf(a), positionOf(b)))
}
