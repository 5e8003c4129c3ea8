/** The booking that a page is about. */
import type { BookedEvent } from '@waypost/contract'
import { nowInSeconds, type Page } from '../page.ts'

export const timeOf = ({ event_data: { when } }: BookedEvent): { start_time: number; end_time: number } => when

/** Why a booking can no longer be changed by its guest; undefined if it can. */
export function obstacle({ data, settings, t }: Page, kind: 'reschedule' | 'cancel'): string | undefined {
  const { booking, scheduler } = settings
  if (!booking || data.booking?.status === 'cancelled') return t('already_cancelled')
  if (timeOf(booking).end_time <= nowInSeconds()) return t('already_past')
  const isHidden = kind === 'cancel' ? scheduler.hide_cancellation_options : scheduler.hide_rescheduling_options
  if (isHidden || (data.booking?.isClosed && kind === 'reschedule')) return t('change_not_offered')
  const notice = (scheduler.min_cancellation_notice ?? 0) * 60
  if (timeOf(booking).start_time - nowInSeconds() < notice) {
    return t(kind === 'cancel' ? 'cancel_late' : 'change_not_offered')
  }
  return undefined
}
