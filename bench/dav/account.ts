/** An account with a large calendar and a large address book at a real DAV server. */
import { startCyrus } from '@waypost/testing/peers/cyrus'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { radicaleBook, radicaleCalendar, startRadicale } from '@waypost/testing/peers/radicale'
import { quick } from '../figures.ts'

export const events = quick ? 1_000 : 5_000
export const series = quick ? 60 : 300
export const contacts = quick ? 200 : 1_000

const day = 86_400
/** The requested month, in Unix seconds. */
export const month = { from: Date.UTC(2027, 2, 1) / 1000, to: Date.UTC(2027, 3, 1) / 1000 }

export interface LargeAccount {
  dav: DavServer
  mailbox: Mailbox
  /** Absolute URL. */
  calendar: string
  calendarId: string
  book: string
}

/** Cyrus stores the mail of all accounts, and the calendars and contacts of its own. */
export async function openServers(): Promise<{ mail: MailServer; servers: DavServer[] } & AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  const cyrus = resources.use(await startCyrus())
  const radicale = resources.use(await startRadicale())
  const open = resources.move()
  return { mail: cyrus, servers: [cyrus, radicale], [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const utc = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '')

const vevent = (uid: string, start: number, rule = ''): string =>
  `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20260101T000000Z\nDTSTART:${utc(start)}\nDTEND:${utc(start + 1800)}\n${rule}` +
  `SUMMARY:Meeting ${uid}\nDESCRIPTION:${'something that was agreed upon. '.repeat(6)}\nLOCATION:Berlin\n` +
  `ORGANIZER:mailto:ann@example.org\nATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org\nEND:VEVENT\n`

const calendarOf = (inner: string): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//bench//EN\n${inner}END:VCALENDAR\n`

const card = (uid: string): string =>
  `BEGIN:VCARD\nVERSION:3.0\nUID:${uid}\nFN:Ann ${uid}\nN:${uid};Ann;;;\nEMAIL;TYPE=WORK:${uid}@example.org\nTEL;TYPE=CELL:+1 202 555 0100\nADR;TYPE=HOME:;;1 Engine Row;London;;;UK\nEND:VCARD\n`

/** Most series are yearly, such as birthdays; some are monthly, few weekly, and some have ended. */
function ruleOf(number: number): string {
  if (number % 12 === 0) return 'RRULE:FREQ=WEEKLY;COUNT=20\n'
  if (number % 20 === 1) return 'RRULE:FREQ=WEEKLY\n'
  return number % 5 === 2 ? 'RRULE:FREQ=MONTHLY\n' : 'RRULE:FREQ=YEARLY\n'
}

/** Events over ten years, and series that began in the three years before the month. */
function allEvents(): Map<string, string> {
  const found = new Map<string, string>()
  for (let number = 0; number < events; number++) {
    const start = month.from + Math.floor(((number + 0.5) / events - 0.5) * 3650) * day + (number % 10) * 3600
    found.set(`event-${number}`, vevent(`event-${number}`, start))
  }
  for (let number = 0; number < series; number++) {
    const start = month.from - 1095 * day + Math.floor((number * 1000) / series) * day
    found.set(`series-${number}`, vevent(`series-${number}`, start, ruleOf(number)))
  }
  return found
}

/** Creates and fills the account. */
export async function largeAccount(mail: MailServer, dav: DavServer): Promise<LargeAccount> {
  const isRadicale = dav.name === 'radicale'
  const mailbox = await (isRadicale ? mail.addUser() : dav.addDavUser())
  if (isRadicale) await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
  const calendarId = isRadicale ? radicaleCalendar : 'Default'
  const calendar = `${dav.calendarHome(mailbox.user)}${calendarId}/`
  const book = `${dav.addressbookHome(mailbox.user)}${isRadicale ? radicaleBook : 'Default'}/`
  const cards = Array.from({ length: contacts }, (_, number) => `contact-${number}`)
  if (isRadicale) {
    // This server accepts a whole collection at once.
    await putObject(dav, mailbox, calendar, calendarOf([...allEvents().values()].join('')))
    await putObject(dav, mailbox, book, cards.map(card).join(''))
  } else {
    // This server stores the events of a calendar one by one.
    const work = [
      ...Array.from(allEvents(), ([name, text]) => [`${calendar}${name}.ics`, calendarOf(text)] as const),
      ...cards.map((uid) => [`${book}${uid}.vcf`, card(uid)] as const),
    ].values()
    const next = async (): Promise<void> => {
      for (const [url, text] of work) await putObject(dav, mailbox, url, text)
    }
    await Promise.all(Array.from({ length: 4 }, next))
  }
  return { dav, mailbox, calendar, calendarId, book }
}
