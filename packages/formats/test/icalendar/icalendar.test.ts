import type { When } from '@waypost/contract'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { contentLine, plain, text, timeZone, write } from '../../src/icalendar/icalendar.ts'
import { event, guest, physicalLines, read, request, unix } from '../itip/making-invitations.ts'

/** The offset in hours that a VTIMEZONE gives for a local time. */
function offsetIn(zone: ICAL.Timezone | undefined, local: string): number {
  const time = ICAL.Time.fromDateTimeString(local)
  if (zone === undefined) throw new Error('no such zone')
  time.zone = zone
  return zone.utcOffset(time) / 3600
}

describe('content lines', () => {
  test('are folded at 75 octets, never inside a character', () => {
    for (const title of [
      '😀'.repeat(200),
      '会議の予定'.repeat(80),
      `a${'é'.repeat(300)}`,
      '👩‍👩‍👧 x'.repeat(60),
      'b'.repeat(500),
    ]) {
      const line = contentLine(text('SUMMARY', title))
      for (const each of physicalLines(line)) {
        expect(Buffer.byteLength(each)).toBeLessThanOrEqual(75)
        expect(Buffer.from(each).toString()).toBe(each)
        expect(each.isWellFormed()).toBe(true)
      }
      expect(
        physicalLines(line)
          .slice(0, -1)
          .every((each) => Buffer.byteLength(each) >= 72),
      ).toBe(true)
      expect(read(request(event({ title }))).value('summary')).toBe(title)
    }
  })

  test('of exactly 75 octets are not folded', () => {
    expect(contentLine(plain('X', 'a'.repeat(73)))).toBe(`X:${'a'.repeat(73)}\r\n`)
    expect(contentLine(plain('X', 'a'.repeat(74)))).toBe(`X:${'a'.repeat(73)}\r\n a\r\n`)
  })

  test('escape text and read back the same', () => {
    const title = 'a\\b; c, d: "e" \\n f\ng'
    expect(contentLine(text('SUMMARY', title))).toBe('SUMMARY:a\\\\b\\; c\\, d: "e" \\\\n f\\ng\r\n')
    expect(read(request(event({ title }))).value('summary')).toBe(title)
  })

  test('encode parameters by RFC 6868 and read back the same', () => {
    const name = 'Ann "the ^ one"; Lee, jr: x'
    expect(contentLine(plain('X', 'y', { CN: name, TZID: 'Europe/Berlin', NONE: undefined }))).toBe(
      `X;CN="Ann ^'the ^^ one^'; Lee, jr: x";TZID=Europe/Berlin:y\r\n`,
    )
    const [attendee] = read(request(event({ participants: [guest('ann@example.com', { name })] }))).attendees
    expect(attendee).toMatchObject({ cn: name })
  })

  test('can contain any text', () => {
    const line = contentLine(plain('X', 'a\r\nY:b\0\u0085\u2028c', { P: 'd\r\nZ:e\0' }))
    expect(physicalLines(line)).toHaveLength(1)
    expect(line).not.toMatch(/\0/)
  })

  test('survive half a surrogate pair', () => {
    expect(
      read(request(event({ title: 'x\ud800y', participants: [guest('\udc00@example.com')] }))).value('summary'),
    ).toBe('x\ufffdy')
  })
})

describe('VTIMEZONE', () => {
  const zone = (name: string, from: number, to = from) =>
    new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(write(timeZone(name, { from, to })))), tzid: name })

  test.each([
    ['Europe/Berlin', 1, 2],
    ['America/New_York', -5, -4],
    ['Europe/Dublin', 0, 1],
    ['Asia/Kolkata', 5.5, 5.5],
    ['Asia/Tokyo', 9, 9],
    ['Australia/Sydney', 11, 10],
    ['Australia/Lord_Howe', 11, 10.5],
    ['America/Sao_Paulo', -3, -3],
    ['Asia/Jerusalem', 2, 3],
  ])('of %s has the offsets of January and July', (name, january, july) => {
    for (const from of [unix(2026, 1, 15), unix(2026, 7, 15)]) {
      expect(offsetIn(zone(name, from), '2026-01-15T12:00:00')).toBe(january)
      expect(offsetIn(zone(name, from), '2026-07-15T12:00:00')).toBe(july)
      expect(offsetIn(zone(name, from), '2034-07-15T12:00:00')).toBe(july)
    }
  })

  test('matches Temporal on every day of its years, also with changed or irregular rules', () => {
    for (const name of [
      'Africa/Casablanca',
      'Asia/Jerusalem',
      'America/New_York',
      'Europe/Istanbul',
      'Asia/Pyongyang',
    ]) {
      const made = zone(name, unix(2005, 3, 1), unix(2030, 3, 1))
      let day = Temporal.PlainDate.from('2005-01-02')
      for (; day.year < 2031; day = day.add({ days: 5 })) {
        const local = day.toZonedDateTime({ timeZone: name, plainTime: '12:00' })
        expect([name, String(day), offsetIn(made, `${day}T12:00:00`)]).toEqual([
          name,
          String(day),
          local.offsetNanoseconds / 3.6e12,
        ])
      }
    }
  })

  test('writes the rule of Berlin in the common form', () => {
    expect(physicalLines(write(timeZone('Europe/Berlin', { from: unix(2026, 6, 1), to: unix(2026, 6, 1) })))).toEqual([
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:20251026T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ])
  })

  test('ends a discontinued rule', () => {
    const made = write(timeZone('America/New_York', { from: unix(2004, 6, 1), to: unix(2026, 6, 1) }))
    expect(made).toContain('RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z')
    expect(made).toContain('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n')
  })

  test('of a zone without changes has one observance', () => {
    expect(write(timeZone('Etc/GMT-3', { from: 0, to: 0 }))).toContain('TZOFFSETTO:+0300')
  })

  test('is in the object for every zone that it uses', () => {
    const when: When = {
      object: 'timespan',
      start_time: unix(2026, 7, 1, 9),
      end_time: unix(2026, 7, 1, 17),
      start_timezone: 'Europe/Berlin',
      end_timezone: 'America/New_York',
    }
    const { zones, value, zoneIn } = read(request(event({ when })))
    expect(zones.map(({ tzid }) => tzid)).toEqual(['Europe/Berlin', 'America/New_York'])
    expect([value('dtstart'), value('dtend')]).toEqual(['2026-07-01T11:00:00', '2026-07-01T13:00:00'])
    expect([zoneIn('dtstart'), zoneIn('dtend')]).toEqual(['Europe/Berlin', 'America/New_York'])
  })
})
