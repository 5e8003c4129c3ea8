/**
 * Subject, plain text and HTML of a mail about a booking, in the reader's language. Pure. Names and texts of people
 * are escaped in HTML, and each is isolated, so that a name in another direction does not reorder the words around it.
 */
import { cleanText, oneLine } from '@waypost/formats/icalendar/icalendar'
import { isWebAddress, plainText } from '@waypost/formats/icalendar/vevent'
import { escapeHtml, type MailText } from '@waypost/formats/itip/invitation-text'
import { type BookingMailTexts, bookingMailTexts } from '@waypost/texts/booking-mails'
import { type BookingMail, isGuest, type MailPerson, shownKind } from './booking-mail.ts'
import { timeText } from './mail-times.ts'

/** A labelled line. */
interface Row {
  label: string
  value: string
}

interface Action {
  label: string
  url: string
}

interface Content {
  lead: string
  /** Our sentences run from left to right; those of the configuration have their own direction. */
  leadDirection: 'ltr' | 'auto'
  heading: string
  rows: readonly Row[]
  /** Paragraphs below the table; the label may be empty. */
  notes: readonly Row[]
  actions: readonly Action[]
}

/** The direction of one text does not depend on its neighbors (Unicode FSI and PDI). */
const isolated = (text: string): string => `\u2068${text}\u2069`
/** Marks that change the direction of what follows have no place in a name. */
const plainLine = (text: string): string => oneLine(text).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** The name of a person, or the address if the name is unknown. */
export const nameOf = ({ name, email }: MailPerson): string => plainLine(name) || plainLine(email)

/** Replaces `{organizer}`, `{guest}` and `{title}`. Values are not read for names again. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** The first sentence: for guests or for hosts. A request goes to hosts only. */
function leadOf({ kind, recipient }: BookingMail, { toGuests, toHosts }: BookingMailTexts): string {
  return isGuest(recipient) && kind !== 'requested' ? toGuests[kind] : toHosts[kind]
}

const withAddress = (person: MailPerson): string => {
  const [name, email] = [plainLine(person.name), plainLine(person.email)]
  return name === '' || name === email ? email : `${name} <${email}>`
}

function participantsOf({ recipient, companions, hosts, hidesParticipants }: BookingMail): string {
  if (hidesParticipants && isGuest(recipient)) return ''
  return [...hosts, ...companions].map(nameOf).join(', ')
}

function rowsOf(mail: BookingMail, { labels }: BookingMailTexts): Row[] {
  const { booking, recipient, previous, organizer, guest, answers } = mail
  const shown = isGuest(recipient) ? [] : answers
  return [
    { label: labels.when, value: timeText(booking, recipient) },
    { label: labels.formerly, value: previous === undefined ? '' : timeText(previous, recipient) },
    { label: labels.where, value: plainLine(booking.location) },
    { label: labels.join, value: mail.kind === 'cancelled' || mail.kind === 'declined' ? '' : booking.conferenceUrl },
    { label: labels.organizer, value: withAddress(organizer) },
    { label: labels.guest, value: withAddress(guest) },
    { label: labels.participants, value: participantsOf(mail) },
    ...shown.map(({ label, value }) => ({ label: plainLine(label), value: plainLine(value) })),
  ].filter(({ value }) => value !== '')
}

/** The guest can change the booking until it is over; a cancelled one has nothing to change. */
function actionsOf({ links }: BookingMail, { actions }: BookingMailTexts): Action[] {
  const names = ['confirm', 'decline', 'reschedule', 'cancel'] as const
  return names.flatMap((name) => {
    const url = links[name]
    return url !== undefined && isWebAddress(url) ? [{ label: actions[name], url }] : []
  })
}

function contentOf(mail: BookingMail, texts: BookingMailTexts, values: Readonly<Record<string, string>>): Content {
  const { booking, reason, own, cancellationPolicy, recipient } = mail
  const ownBody = mail.kind === 'confirmed' && isGuest(recipient) ? cleanText(own.body).trim() : ''
  const notes = [
    { label: texts.labels.reason, value: cleanText(reason).trim() },
    { label: texts.labels.description, value: plainText(booking.description).trim() },
    {
      label: texts.labels.cancellationPolicy,
      value: isGuest(recipient) ? cleanText(cancellationPolicy).trim() : '',
    },
  ]
  return {
    lead: ownBody || filled(leadOf(mail, texts), values),
    leadDirection: ownBody === '' ? 'ltr' : 'auto',
    heading: plainLine(booking.title),
    rows: rowsOf(mail, texts),
    notes: notes.filter(({ value }) => value !== ''),
    actions: actionsOf(mail, texts),
  }
}

/** Longer subjects are cut by mail servers. */
const maxSubjectLength = 200
const cut = (text: string): string => {
  const letters = [...text]
  return letters.length <= maxSubjectLength ? text : `${letters.slice(0, maxSubjectLength - 1).join('')}…`
}

function subjectOf(mail: BookingMail, texts: BookingMailTexts): string {
  const { kind, recipient, own, ownSubject, booking } = mail
  const ownTitle = kind === 'confirmed' && isGuest(recipient) ? plainLine(own.title) : ''
  const reminder = kind === 'reminder' ? plainLine(ownSubject) : ''
  return cut(ownTitle || reminder || filled(texts.subjects[kind], { title: plainLine(booking.title) }))
}

const textOf = ({ lead, heading, rows, notes, actions }: Content): string =>
  [
    lead,
    '',
    heading,
    ...rows.map(({ label, value }) => `${label}: ${value}`),
    ...notes.flatMap(({ label, value }) => ['', `${label}: ${value}`]),
    ...(actions.length === 0 ? [] : ['']),
    ...actions.map(({ label, url }) => `${label}: ${url}`),
  ].join('\n')

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
const linkTo = (url: string, label: string, style: string): string =>
  `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`

function htmlOf(
  { lead, leadDirection, heading, rows, notes, actions }: Content,
  { recipient, logo }: BookingMail,
): string {
  const cells = rows.map(({ label, value }) => {
    const shown = isWebAddress(value) ? linkTo(value, value, 'color:#1a56db') : `<bdi>${escapeHtml(value)}</bdi>`
    return `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0;color:#555;font-weight:normal">${escapeHtml(label)}</th><td style="padding:4px 0">${shown}</td></tr>`
  })
  const image =
    /^https:\/\//i.test(logo) && URL.canParse(logo)
      ? `<p><img src="${escapeHtml(logo)}" alt="" style="max-height:48px;max-width:240px"></p>`
      : ''
  const below = notes.map(
    ({ label, value }) => `<p dir="auto"><span style="color:#555">${escapeHtml(label)}</span><br>${lines(value)}</p>`,
  )
  const button =
    'display:inline-block;margin:0 8px 8px 0;padding:8px 16px;border:1px solid #1a56db;border-radius:6px;color:#1a56db;text-decoration:none'
  const buttons =
    actions.length === 0 ? '' : `<p>${actions.map(({ label, url }) => linkTo(url, label, button)).join('')}</p>`
  return `<!doctype html><html lang="${recipient.language}"><head><meta charset="utf-8"></head><body style="${font};font-size:15px;line-height:1.5;color:#222"><div style="max-width:600px">${image}<p dir="${leadDirection}">${lines(lead)}</p><h2 dir="auto" style="font-size:20px">${escapeHtml(heading)}</h2><table style="border-collapse:collapse">${cells.join('')}</table>${below.join('')}${buttons}</div></body></html>`
}

/** The words of a mail in the language of its reader. */
export function mailTextOf(queued: BookingMail): MailText {
  const mail = { ...queued, kind: shownKind(queued) }
  const texts = bookingMailTexts[mail.recipient.language]
  const names = { organizer: nameOf(mail.organizer), guest: nameOf(mail.guest), title: plainLine(mail.booking.title) }
  const inText = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, isolated(value)]))
  return {
    subject: subjectOf(mail, texts),
    text: textOf(contentOf(mail, texts, names)),
    html: htmlOf(contentOf(mail, texts, inText), mail),
  }
}
