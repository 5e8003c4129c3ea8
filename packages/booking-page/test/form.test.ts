/** The entries of guests, and what the page derives from them: values, links, the calendar file. */
import type { AdditionalField, Booking, UiSettings } from '@waypost/contract'
import { expect, test } from 'vitest'
import { draftOf, firstEntries, inputOf, shownFields, wrongEntries } from '../src/form/entries.ts'
import { googleLink, icsOf, outlookLink } from '../src/outcome/ics.ts'
import { changeLink, redirectLink } from '../src/outcome/links.ts'

const field = (type: AdditionalField['type'], more: Partial<AdditionalField> = {}): AdditionalField => ({
  ...{ type, label: type, required: false },
  ...more,
})
const fields = {
  last: field('text', { order: 9 }),
  code: field('text', { order: 1, pattern: '[A-Z]{3}' }),
  size: field('dropdown', { order: 2, options: ['S', 'L'], required: true }),
  terms: field('checkbox', { order: 3, required: true }),
  source: field('metadata', { default: 'site' }),
}

test('the address of the page fills in the form; choices only with a value that exists', () => {
  const query = new URLSearchParams('name=Ada&email=ada@example.com&size=L&terms=true&source=mail&other=x')
  expect(firstEntries(fields, query)).toEqual({
    name: 'Ada',
    email: 'ada@example.com',
    guests: [],
    fields: { last: '', code: '', size: 'L', terms: 'true', source: 'mail' },
  })
  expect(firstEntries(fields, new URLSearchParams('size=XXL')).fields).toMatchObject({ size: '', source: 'site' })
  expect(shownFields(fields).map(({ key }) => key)).toEqual(['code', 'size', 'terms', 'last'])
})

test('invalid entries are reported at their fields; patterns match the whole value', () => {
  const empty = firstEntries(fields, new URLSearchParams())
  expect(wrongEntries(empty, fields)).toEqual({
    name: 'required',
    email: 'required',
    'field.size': 'required_choice',
    'field.terms': 'required_checkbox',
  })
  const filled = {
    ...{ name: 'Ada', email: 'ada', guests: ['', 'bob', 'eve@example.com'] },
    fields: { code: 'xABCx', size: 'S', terms: 'true' },
  }
  expect(wrongEntries(filled, fields)).toEqual({
    email: 'wrong_email',
    'guest.1': 'wrong_email',
    'field.code': 'wrong_format',
  })
  const unreadable = { broken: field('text', { pattern: '(' }) }
  expect(wrongEntries({ ...filled, email: 'a@b.co', guests: [], fields: { broken: 'x' } }, unreadable)).toEqual({})
})

test('a draft has trimmed values and no empty ones', () => {
  const entries = {
    name: ' Ada ',
    email: ' ada@example.com ',
    guests: [' ', 'b@example.com'],
    fields: { a: ' x ', b: '' },
  }
  expect(draftOf(entries)).toEqual({
    guest: { name: 'Ada', email: 'ada@example.com' },
    additional_guests: [{ email: 'b@example.com' }],
    additional_fields: { a: 'x' },
  })
  expect(['guest.email', 'additional_fields.code', 'additional_guests.1.email', 'start_time'].map(inputOf)).toEqual([
    'email',
    'field.code',
    'guest.1',
    undefined,
  ])
})

const entry = {
  ...{
    uid: 'b1@example.com',
    title: 'Lunch; with, Ada',
    location: 'Room 1',
    description: `Line 1\nLine 2 ${'ä'.repeat(60)}`,
  },
  ...{ start: 1_795_600_800, end: 1_795_602_600 },
}

test('the calendar file escapes texts and folds lines after 75 bytes', () => {
  const file = icsOf(entry, 1_795_000_000)
  expect(file).toContain('SUMMARY:Lunch\\; with\\, Ada\r\n')
  expect(file).toContain('DTSTART:20261125T100000Z\r\nDTEND:20261125T103000Z\r\n')
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:Line 1\\nLine 2 ${'ä'.repeat(60)}\r\n`)
  expect(new URL(googleLink(entry)).searchParams.get('dates')).toBe('20261125T100000Z/20261125T103000Z')
  expect(new URL(outlookLink(entry)).searchParams.get('startdt')).toBe('2026-11-25T10:00:00.000Z')
})

const booking: Booking = {
  ...{ booking_id: 'b1', configuration_id: 'c1', event_id: 'e1', title: 'Lunch', description: '', status: 'booked' },
  ...{ organizer: { email: 'host@example.com', name: '' }, location: 'Room 1', booking_ref: 'REF' },
  ...{ start_time: 1, end_time: 2, timezone: 'Europe/Berlin', email_language: 'de' },
  ...{ guest: { email: 'ada@example.com', name: 'Ada' }, additional_guests: [], additional_fields: { a: 'x' } },
}
const settingsWith = (scheduler: UiSettings['scheduler']): UiSettings => ({
  ...{ configuration_id: 'c1', app_client_id: 'app', name: 'Lunch', slug: 'lunch', type: '', booking_type: 'booking' },
  ...{ organizer: { name: '', email: '' }, appearance: null, scheduler },
})

test('the page of the application gets the booking in its query', () => {
  const settings = settingsWith({ confirmation_redirect_url: 'https://example.com/thanks?from=page' })
  const url = new URL(redirectLink({ settings }, booking, 'de') ?? '')
  expect(`${url.origin}${url.pathname}`).toBe('https://example.com/thanks')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ from: 'page', booking_id: 'b1', name: 'Ada', email: 'ada@example.com', start_time: '1', end_time: '2' },
    ...{ tz: 'Europe/Berlin', language: 'de', additional_values: '{"a":"x"}', page_slug: 'lunch', config_id: 'c1' },
    ...{ location: 'Room 1', booking_ref: 'REF' },
  })
})

test('links to change a booking are those of the application, or of the service, or hidden; scripts are never links', () => {
  const link = (scheduler: UiSettings['scheduler']) =>
    changeLink('cancel', { prefix: '/w', settings: settingsWith(scheduler) }, 'REF')
  expect(link({})).toBe('/w/book/cancel/REF')
  expect(link({ cancellation_url: 'https://example.com/c/:booking_ref' })).toBe('https://example.com/c/REF')
  expect(link({ cancellation_url: 'javascript:alert(1)' })).toBe('/w/book/cancel/REF')
  expect(link({ hide_cancellation_options: true })).toBeUndefined()
  const evil = settingsWith({ confirmation_redirect_url: 'javascript:alert(1)' })
  expect(redirectLink({ settings: evil }, booking, 'en')).toBeUndefined()
})
