/** Folders of events as calendars. Pure. */
import type { Calendar, Grant } from '@waypost/contract'
import { ourId } from '../../ids.ts'
import type { Folder } from '../../types/folder.ts'

/** What events are told with of their calendar. */
export interface KnownCalendar {
  /** Of ours. */
  id: string
  canEdit: boolean
  isPrimary: boolean
  name: string
}

export const isCalendar = (folder: Folder): boolean =>
  folder.kind === 'CalendarFolder' || (folder.FolderClass ?? '').startsWith('IPF.Appointment')

/** Rights that the server does not tell are those of an owner. */
const mayWrite = ({ EffectiveRights: rights }: Folder): boolean => rights?.CreateContents !== false

export const fromFolder = (folder: Folder, primaryId: string): KnownCalendar => ({
  id: ourId(folder.FolderId?.Id ?? ''),
  canEdit: mayWrite(folder),
  isPrimary: folder.FolderId?.Id === primaryId,
  name: folder.DisplayName ?? '',
})

/** A calendar as ours. Exchange keeps the name of a folder alone; those of the account's own mailbox are its own. */
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

/** Where a calendar stands in the list: the main one first, then by name. */
export type CalendarPosition = [isPrimary: boolean, name: string, id: string]
export const positionOf = ({ isPrimary, name, id }: KnownCalendar): CalendarPosition => [isPrimary, name, id]

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const compareCalendars = (a: CalendarPosition, b: CalendarPosition): number =>
  Number(b[0]) - Number(a[0]) || compareTexts(a[1], b[1]) || compareTexts(a[2], b[2])
