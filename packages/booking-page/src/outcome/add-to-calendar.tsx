import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import { nowInSeconds, usePage } from '../page.ts'
import { type CalendarEntry, googleLink, icsOf, outlookLink } from './ics.ts'

/** Ways to keep the booking in a calendar. Nothing is sent to Google or Microsoft before the visitor clicks. */
export function AddToCalendar({ entry }: { entry: CalendarEntry }) {
  const { t } = usePage()
  const [file, setFile] = useState('')
  useEffect(() => {
    const blob = new Blob([icsOf(entry, nowInSeconds())], { type: 'text/calendar;charset=utf-8' })
    const url = URL.createObjectURL(blob)
    setFile(url)
    return () => URL.revokeObjectURL(url)
  }, [entry])
  const away = { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <div class="add" role="group" aria-labelledby="add-title">
      <h2 id="add-title">{t('add_to_calendar')}</h2>
      <a class="chip" href={googleLink(entry)} {...away}>
        {t('google')}
      </a>
      <a class="chip" href={outlookLink(entry)} {...away}>
        {t('outlook')}
      </a>
      <a class="chip" href={file} download="booking.ics">
        <Icon name="calendar" />
        {t('ics_file')}
      </a>
    </div>
  )
}
