/** Folders of events as calendars. Pure. */
import type { Calendar, Grant } from '@waypost/contract'
import { ourId } from '../../ids.ts'
import type { Folder } from '../../types/folder.ts'

/** The facts about a calendar that its events contain. */
export interface KnownCalendar {
  /** The id in the API. */
  id: string
  canEdit: boolean
  isPrimary: boolean
  name: string
}

export const isCalendar = (folder: Folder): boolean =>
  folder.kind === 'CalendarFolder' || (folder.FolderClass ?? '').startsWith('IPF.Appointment')

/** If the server does not report rights, the account counts as the owner. */
const mayWrite = ({ EffectiveRights: rights }: Folder): boolean => rights?.CreateContents !== false

export const fromFolder = (folder: Folder, primaryId: string | undefined): KnownCalendar => ({
  id: ourId(folder.FolderId?.Id ?? ''),
  canEdit: mayWrite(folder),
  isPrimary: primaryId !== undefined && folder.FolderId?.Id === primaryId,
  name: folder.DisplayName ?? '',
})

/** Maps a calendar. Exchange stores only the name of a folder. Calendars of the account's own mailbox are its own. */
export const shownCalendar = (calendar: KnownCalendar, grant: Grant): Calendar => ({
  id: calendar.id,
  grant_id: grant.id,
  object: 'calendar',
  name: calendar.name,
  description: null,
  location: null,
  timezone: 'UTC',
  hex_color: null,
  hex_foreground_color: null,
  is_owned_by_user: true,
  is_primary: calendar.isPrimary,
  read_only: !calendar.canEdit,
  metadata: {},
})

/** The position of a calendar in the list: the primary one first, then by name. */
export type CalendarPosition = [isPrimary: boolean, name: string, id: string]
export const positionOf = ({ isPrimary, name, id }: KnownCalendar): CalendarPosition => [isPrimary, name, id]

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const compareCalendars = (a: CalendarPosition, b: CalendarPosition): number =>
  Number(b[0]) - Number(a[0]) || compareTexts(a[1], b[1]) || compareTexts(a[2], b[2])
