// Calendars and calendar groups of a mailbox.
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { changeKeyOf } from './event-json.ts'
import {
  type CalendarState,
  defaultCalendar,
  type Mailbox,
  newKey,
  nextVersion,
  type StoredCalendar,
  type StoredGroup,
} from './state.ts'

const myCalendars = '0006f0b7-0000-0000-c000-000000000046'
const otherCalendars = '0006f0b8-0000-0000-c000-000000000046'

/** The preset colors with their hexadecimal codes; empty for `auto`. */
const colors: Readonly<Record<string, string>> = {
  auto: '',
  lightBlue: '#a6d1f5',
  lightGreen: '#87d28e',
  lightOrange: '#fcab73',
  lightGray: '#c0c0c0',
  lightYellow: '#f5f190',
  lightTeal: '#4adacc',
  lightPink: '#e7a1a2',
  lightBrown: '#e2c5a6',
  lightRed: '#f88c9b',
  maxColor: '#a895e2',
}

/** The mailbox of a new account: two groups, the default calendar, and a calendar that only Exchange writes to. */
export function openMailbox(state: CalendarState, owner: AccountOwner, { isRoom = false } = {}): Mailbox {
  const mailbox: Mailbox = {
    owner,
    isRoom,
    calendars: new Map(),
    groups: new Map(),
    mails: [],
    validFrom: 0,
    transactions: new Map(),
  }
  state.mailboxes.set(owner.id, mailbox)
  const mine = addGroup(state, mailbox, { name: 'My Calendars', classId: myCalendars, fixed: true })
  const other = addGroup(state, mailbox, { name: 'Other Calendars', classId: otherCalendars, fixed: true })
  storeCalendar(state, mailbox, { name: 'Calendar', groupKey: mine.key, isDefault: true })
  if (!isRoom) storeCalendar(state, mailbox, { name: 'Birthdays', groupKey: other.key, readOnly: true })
  return mailbox
}

interface CalendarSeed {
  readonly name: string
  readonly groupKey: string
  readonly color?: string
  readonly isDefault?: boolean
  readonly readOnly?: boolean
}

function storeCalendar(state: CalendarState, mailbox: Mailbox, seed: CalendarSeed): StoredCalendar {
  const calendar: StoredCalendar = {
    isDefault: false,
    readOnly: false,
    color: 'auto',
    ...seed,
    key: newKey(),
    owner: mailbox.owner,
    holder: mailbox.owner,
    hexColor: colors[seed.color ?? 'auto'] ?? '',
    version: nextVersion(state),
    events: new Map(),
    removals: [],
  }
  mailbox.calendars.set(calendar.key, calendar)
  return calendar
}

/** Adds a shared calendar to another mailbox, where it has its own id. */
export function shareCalendar(
  state: CalendarState,
  { calendars, groups, owner: holder }: Mailbox,
  { calendar, readOnly }: { calendar: StoredCalendar; readOnly: boolean },
): StoredCalendar {
  const [, other] = [...groups.values()]
  const shared: StoredCalendar = {
    ...calendar,
    key: newKey(),
    holder,
    readOnly,
    isDefault: false,
    groupKey: other?.key ?? calendar.groupKey,
    name: calendar.isDefault ? calendar.owner.name : calendar.name,
    version: nextVersion(state),
  }
  calendars.set(shared.key, shared)
  return shared
}

/** Creates a calendar from a body, in `My Calendars` unless the request names another group. */
export function addCalendar(
  state: CalendarState,
  mailbox: Mailbox,
  body: JsonObject,
  groupKey?: string,
): StoredCalendar {
  const group = groupKey ?? defaultCalendar(mailbox).groupKey
  const { name, color } = parseCalendar(body)
  if (name === undefined) throw new GraphError(400, 'ErrorInvalidParameter', 'The name of a calendar is required.')
  checkName(mailbox, name)
  return storeCalendar(state, mailbox, { name, color: color ?? 'auto', groupKey: group })
}

export function changeCalendar(
  state: CalendarState,
  mailbox: Mailbox,
  { calendar, body }: { calendar: StoredCalendar; body: JsonObject },
): void {
  const { name, color, isDefault } = parseCalendar(body)
  if (name !== undefined && name !== calendar.name) {
    if (calendar.isDefault || calendar.readOnly) {
      throw new GraphError(400, 'ErrorRenameDistinguishedFolder', 'Distinguished folders cannot be renamed.')
    }
    checkName(mailbox, name)
    calendar.name = name
  }
  if (color !== undefined) {
    calendar.color = color
    calendar.hexColor = colors[color] ?? ''
  }
  if (isDefault === true && !calendar.isDefault) {
    throw new GraphError(400, 'ErrorInvalidRequest', 'The default calendar of a mailbox cannot be changed here.')
  }
  calendar.version = nextVersion(state)
}

function parseCalendar(body: JsonObject): { name?: string; color?: string; isDefault?: boolean } {
  const { name, color, isDefaultCalendar } = body
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw new GraphError(400, 'ErrorInvalidParameter', "The value of parameter 'Name' is invalid.")
  }
  if (color !== undefined && !Object.hasOwn(colors, String(color))) {
    const message = `Cannot convert the literal '${String(color)}' to the expected type 'microsoft.graph.calendarColor'.`
    throw new GraphError(400, 'RequestBodyRead', message)
  }
  return { name, color: color as string | undefined, isDefault: isDefaultCalendar === true }
}

function checkName({ calendars }: Mailbox, name: string): void {
  if (![...calendars.values()].some((one) => one.name.toLowerCase() === name.toLowerCase())) return
  throw new GraphError(409, 'ErrorFolderExists', 'A folder with the specified name already exists.')
}

export function deleteCalendar(mailbox: Mailbox, calendar: StoredCalendar): void {
  if (calendar.isDefault || (calendar.readOnly && calendar.owner === mailbox.owner)) {
    throw new GraphError(400, 'ErrorDeleteDistinguishedFolder', 'Distinguished folders cannot be deleted.')
  }
  mailbox.calendars.delete(calendar.key)
}

export function addGroup(
  state: CalendarState,
  mailbox: Mailbox,
  seed: { name: string; classId?: string; fixed?: boolean },
): StoredGroup {
  const group: StoredGroup = {
    classId: crypto.randomUUID(),
    fixed: false,
    ...seed,
    key: newKey(),
    version: nextVersion(state),
  }
  mailbox.groups.set(group.key, group)
  return group
}

export function calendarJson(calendar: StoredCalendar, id: string): JsonObject {
  const { owner, holder, isDefault, readOnly, name, color, hexColor, version } = calendar
  const isOwn = owner === holder
  const meets = !readOnly && !isPersonal(owner)
  return {
    id,
    name,
    color,
    hexColor,
    isDefaultCalendar: isDefault,
    changeKey: changeKeyOf(version),
    canShare: isOwn && !readOnly,
    canViewPrivateItems: isOwn,
    canEdit: !readOnly,
    allowedOnlineMeetingProviders: meets ? ['teamsForBusiness'] : [],
    defaultOnlineMeetingProvider: meets ? 'teamsForBusiness' : 'unknown',
    isTallyingResponses: isDefault,
    isRemovable: !isDefault && !(isOwn && readOnly),
    owner: { name: owner.name, address: owner.email },
  }
}

export function groupJson({ name, classId, version }: StoredGroup, id: string): JsonObject {
  return { id, name, classId, changeKey: changeKeyOf(version) }
}
