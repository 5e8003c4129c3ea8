/** Times of bookings for people: in the reader's language and time zone. Pure. */
import { EmailLanguage } from '@waypost/contract'
import { oneLine } from '@waypost/formats/icalendar/icalendar'
import type { BookedTime } from './booking-mail.ts'

interface Reader {
  language: EmailLanguage
  zone: string
}

/** UTC if the zone is unknown here. */
function readableZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

const locales: Readonly<Record<EmailLanguage, string>> = {
  en: 'en-US',
  es: 'es-ES',
  fr: 'fr-FR',
  de: 'de-DE',
  nl: 'nl-NL',
  sv: 'sv-SE',
  ja: 'ja-JP',
  zh: 'zh-CN',
  ko: 'ko-KR',
}

const formatOf = ({ language, zone }: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales[language], { ...options, timeZone: readableZone(zone) })

/** The day and the hours, followed by the zone: "Monday, March 1, 2027 at 9:00 – 9:30 AM (Europe/Berlin)". */
export function timeText({ start, end }: BookedTime, reader: Reader): string {
  const hours = formatOf(reader, { dateStyle: 'full', timeStyle: 'short' }).formatRange(start * 1000, end * 1000)
  return oneLine(`${hours} (${readableZone(reader.zone)})`)
}

/** The parts of a time for templates. */
export const timeParts = ({ start, end }: BookedTime, reader: Reader) => ({
  text: timeText({ start, end }, reader),
  date: oneLine(formatOf(reader, { dateStyle: 'full' }).format(start * 1000)),
  start: oneLine(formatOf(reader, { timeStyle: 'short' }).format(start * 1000)),
  end: oneLine(formatOf(reader, { timeStyle: 'short' }).format(end * 1000)),
  timezone: readableZone(reader.zone),
})

/** The language of a locale such as `de`, `de-AT` or `zh_CN`; English if there are no texts for it. */
export function languageOf(locale: string | null | undefined): EmailLanguage {
  const code = (locale ?? '').slice(0, 2).toLowerCase()
  return EmailLanguage.options.find((language) => language === code) ?? 'en'
}
