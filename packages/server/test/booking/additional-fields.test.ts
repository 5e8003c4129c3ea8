/** Guests' answers to the additional fields of a page. */
import type { AdditionalField, Configuration } from '@waypost/contract'
import { expect, test } from 'vitest'
import { readAnswers } from '../../src/booking/bookings/booking-request.ts'

const pageWith = (fields: Record<string, Partial<AdditionalField>>): Configuration => {
  const whole = Object.entries(fields).map(([key, field]) => [
    key,
    { label: key, type: 'text' as const, required: false, ...field },
  ])
  return {
    ...{ id: '', name: '', slug: null, type: '', requires_session_auth: false, participants: [] },
    ...{ availability: {}, event_booking: {}, appearance: null, embed_origins: [] },
    scheduler: { additional_fields: Object.fromEntries(whole) },
  }
}

test('a pattern must match the whole value, as browsers without the flag "u" read it', () => {
  const page = pageWith({ code: { pattern: '[\\w-.]+' } })
  expect(readAnswers(page, { code: 'a-b.c' })).toEqual({ code: 'a-b.c' })
  expect(() => readAnswers(page, { code: 'a b' })).toThrow('does not have the required form')
})

test('slow patterns are stopped, and all patterns of a request share their time', () => {
  const page = pageWith(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, { pattern: '(a+)+' }])))
  const value = `${'a'.repeat(200)}!`
  const answers = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, value]))
  expect(() => readAnswers(page, answers)).toThrow('does not have the required form')
})
