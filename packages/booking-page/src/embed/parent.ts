/**
 * The page inside a frame. The script of the parent page says hello first; the page answers only to an origin that
 * the configuration lists, so that nobody else learns anything about a visit.
 */
import type { Booking } from '@waypost/contract'

let parentOrigin: string | undefined

const tell = (message: Record<string, unknown>): void => {
  if (parentOrigin !== undefined) window.parent.postMessage(message, parentOrigin)
}

const tellHeight = (): void => {
  const height = Math.ceil(document.getElementById('app')?.getBoundingClientRect().height ?? 0)
  if (height > 0) tell({ kind: 'waypost-height', height })
}

/** Follows the height of the content, for a frame that fits it. */
export function meetParent(origins: readonly string[]): void {
  if (window.parent === window) return
  document.documentElement.classList.add('framed')
  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || !origins.includes(origin) || data?.kind !== 'waypost-hello') return
    parentOrigin = origin
    tellHeight()
  })
  const app = document.getElementById('app')
  if (app) new ResizeObserver(tellHeight).observe(app)
}

/** Tells the parent page that a booking was made, without the guest's data. */
export const announceBooking = ({ booking_id, status, start_time, end_time }: Booking): void =>
  tell({ kind: 'waypost-booked', booking: { booking_id, status, start_time, end_time } })
