/** The page: its choices, its view, and the footer. */
import type { BookingPageData } from '@waypost/contract/booking-page'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { createClient } from './api.ts'
import { Icon } from './components/icon.tsx'
import { nowInSeconds, type Page, PageContext, translatorOf, usePage } from './page.ts'
import { createSlotStore } from './slots.ts'
import { formatsOf, formatTagOf, usesHour12 } from './time/formats.ts'
import { isZone, ownZone } from './time/zones.ts'
import { BookView } from './views/book.tsx'
import { CancelView } from './views/cancel.tsx'
import { ConfirmView } from './views/confirm.tsx'
import { RescheduleView } from './views/reschedule.tsx'

const views = { book: BookView, reschedule: RescheduleView, cancel: CancelView, confirm: ConfirmView }

/** Free times become stale while a visitor does something else. */
const staleAfterMs = 120_000

/** Reloads the free times when the visitor returns to the page. */
function useFreshSlots({ store }: Pick<Page, 'store'>): void {
  useEffect(() => {
    let left = 0
    const changed = (): void => {
      if (document.hidden) left = Date.now()
      else if (left > 0 && Date.now() - left > staleAfterMs) store.forget()
    }
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  }, [store])
}

function firstZone({ view, settings }: BookingPageData): string {
  const requested = new URLSearchParams(location.search).get('timezone')
  if (isZone(requested)) return requested
  // The organizer decides in the time zone of the browser, a guest moves the booking in that of the browser too.
  return ownZone() || (view === 'book' ? settings.timezone : settings.booking?.timezone) || 'UTC'
}

const Languages = () => {
  const { data, t } = usePage()
  const change = (tag: string): void => {
    const url = new URL(location.href)
    url.searchParams.set('lang', tag)
    location.assign(url)
  }
  return (
    <label class="languages">
      <Icon name="globe" />
      <span class="hidden">{t('language')}</span>
      <select value={data.language} onChange={(event) => change(event.currentTarget.value)}>
        {data.languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

interface AppProps {
  data: BookingPageData
  /** The settings of the page, or those of a preview. */
  settings: BookingPageData['settings']
}

export function App({ data, settings }: AppProps) {
  const tag = useMemo(() => formatTagOf(data.language), [data])
  const [zone, setZone] = useState(() => firstZone(data))
  const [hour12, setHour12] = useState(() => usesHour12(tag))
  const [said, announce] = useState('')
  const client = useMemo(() => createClient(data), [data])
  const store = useMemo(() => createSlotStore(client, nowInSeconds), [client])
  const t = useMemo(() => translatorOf(data.texts), [data])
  const formats = useMemo(() => formatsOf(tag, zone, hour12), [tag, zone, hour12])
  useFreshSlots({ store })
  const page: Page = { data, settings, client, store, t, tag, formats, zone, setZone, hour12, setHour12, announce }
  const View = views[data.view]
  return (
    <PageContext.Provider value={page}>
      <main>
        <View />
      </main>
      <footer>
        <Languages />
      </footer>
      <p class="hidden" role="status" aria-live="polite">
        {said}
      </p>
    </PageContext.Provider>
  )
}
