// Reads what guests mail back (RFC 5546 §3.2.3 REPLY, §3.2.6 REFRESH): who answers, to which event or occurrence, and what.
// Pure, and written for texts of strangers: every line is looked at once, and what is no answer is passed over.
import type { Participant } from '@waypost/contract'
import { SECONDS_PER_DAY } from './dates.ts'
import { type BasicTime, parseBasic } from './series.ts'

/** The original start of an occurrence, as the guest's calendar writes it. */
export interface WrittenSlot {
  readonly time: BasicTime
  /** TZID as it stands; calendars have names of their own for zones. */
  readonly zone?: string
}

/** What one guest says about one event or one occurrence. */
export interface AttendeeReply {
  readonly method: 'REPLY' | 'REFRESH'
  readonly uid: string
  readonly attendee: string
  /** The address that answers for the attendee. */
  readonly sentBy?: string
  /** Absent with REFRESH. */
  readonly status?: Participant['status']
  readonly comment?: string
  readonly sequence: number
  /** DTSTAMP in Unix seconds; 0 where there is none. */
  readonly stamp: number
  readonly slot?: WrittenSlot
}

interface Line {
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  readonly value: string
}

const MAX_CHARACTERS = 512 * 1024
const MAX_REPLIES = 100
const PARTSTAT: Readonly<Record<string, Participant['status']>> = {
  ACCEPTED: 'yes',
  DECLINED: 'no',
  TENTATIVE: 'maybe',
  'NEEDS-ACTION': 'noreply',
}

/** The answers in an iCalendar text; none where its METHOD is neither REPLY nor REFRESH. */
export function readReplies(text: string): AttendeeReply[] {
  const events: Line[][] = []
  const open: string[] = []
  let method = ''
  for (const raw of text
    .slice(0, MAX_CHARACTERS)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    const line = readLine(raw)
    if (!line) continue
    if (line.name === 'BEGIN') {
      open.push(line.value.trim().toUpperCase())
      if (isEvent(open)) events.push([])
    } else if (line.name === 'END') open.pop()
    else if (line.name === 'METHOD' && open.length === 1) method = line.value.trim().toUpperCase()
    else if (isEvent(open)) events.at(-1)?.push(line)
  }
  if (method !== 'REPLY' && method !== 'REFRESH') return []
  return events.flatMap((lines) => repliesIn(lines, method as 'REPLY' | 'REFRESH')).slice(0, MAX_REPLIES)
}

const isEvent = (open: readonly string[]): boolean =>
  open.length === 2 && open[0] === 'VCALENDAR' && open[1] === 'VEVENT'

function repliesIn(lines: readonly Line[], method: 'REPLY' | 'REFRESH'): AttendeeReply[] {
  const first = (name: string): Line | undefined => lines.find((line) => line.name === name)
  const uid = unescaped(first('UID')?.value ?? '').trim()
  const written = first('RECURRENCE-ID')
  const slot = written && slotOf(written)
  if (uid === '' || (written && !slot)) return []
  const comment = first('COMMENT')?.value
  const sequence = Number.parseInt(first('SEQUENCE')?.value ?? '0', 10)
  return lines.flatMap((line): AttendeeReply[] => {
    if (line.name !== 'ATTENDEE') return []
    const attendee = addressOf(line.value)
    const sentBy = addressOf(line.parameters.get('SENT-BY') ?? '')
    const status = PARTSTAT[(line.parameters.get('PARTSTAT') ?? '').toUpperCase()]
    if (!attendee || (method === 'REPLY' && !status)) return []
    return [
      {
        method,
        uid,
        attendee,
        sequence: Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0,
        stamp: stampOf(first('DTSTAMP')?.value ?? ''),
        ...(sentBy ? { sentBy } : {}),
        ...(status && method === 'REPLY' ? { status } : {}),
        ...(comment ? { comment: unescaped(comment).slice(0, 1024) } : {}),
        ...(slot ? { slot } : {}),
      },
    ]
  })
}

/** `NAME;PARAMETER="value":value`, where a quoted value may hold any of the marks. */
function readLine(text: string): Line | undefined {
  const pieces: string[] = []
  let isQuoted = false
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (mark === '"') isQuoted = !isQuoted
    if (isQuoted || (mark !== ';' && mark !== ':')) continue
    pieces.push(text.slice(begin, at))
    begin = at + 1
    if (mark === ':') return lineOf(pieces, text.slice(begin))
  }
  return undefined
}

function lineOf([name = '', ...parameters]: readonly string[], value: string): Line {
  const pairs = parameters.map((parameter): [string, string] => {
    const cut = parameter.indexOf('=')
    return [parameter.slice(0, cut).toUpperCase(), parameter.slice(cut + 1).replaceAll('"', '')]
  })
  return { name: name.trim().toUpperCase(), parameters: new Map(pairs), value }
}

const unescaped = (value: string): string =>
  value.replace(/\\(.)/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter))

/** The address of a calendar user: `mailto:ann@example.com`, with or without what it stands in. */
function addressOf(value: string): string | undefined {
  const address = value.trim().replace(/^mailto:/i, '')
  if (!address.includes('@')) return undefined
  try {
    return decodeURIComponent(address).toLowerCase()
  } catch {
    return address.toLowerCase()
  }
}

function slotOf({ value, parameters }: Line): WrittenSlot | undefined {
  const time = parseBasic(value.trim())
  const zone = parameters.get('TZID')
  return time && { time, ...(zone ? { zone } : {}) }
}

function stampOf(value: string): number {
  const time = parseBasic(value.trim())
  return time ? time.day * SECONDS_PER_DAY + (time.seconds ?? 0) : 0
}
