/** What every part of the page needs: its data, texts, formats and the choices of the visitor. */
import type { BookingPageData, BookingPageTextKey } from '@waypost/contract/booking-page'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Client } from './api.ts'
import type { SlotStore } from './slots.ts'
import type { Formats } from './time/formats.ts'

export type Translate = (key: BookingPageTextKey, values?: Readonly<Record<string, string | number>>) => string

export interface Page {
  data: BookingPageData
  settings: BookingPageData['settings']
  client: Client
  store: SlotStore
  t: Translate
  /** Language and region for formats, such as en-GB. */
  tag: string
  formats: Formats
  zone: string
  setZone(zone: string): void
  hour12: boolean
  setHour12(hour12: boolean): void
  /** Tells screen readers what has changed. */
  announce(text: string): void
}

export const translatorOf =
  (texts: BookingPageData['texts']): Translate =>
  (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

export const PageContext = createContext<Page | undefined>(undefined)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('outside of the page')
  return page
}

/** Such as "45 min" or "1 h 30 min". */
export function durationText(t: Translate, minutes: number): string {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return t('minutes', { count: minutes })
  const rest = minutes % 60
  return rest === 0 ? t('hours', { count: hours }) : t('hours_minutes', { hours, minutes: rest })
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)
