/** The texts of mails about bookings: every kind in every language, escaped, in the reader's time zone. */
import { EmailLanguage } from '@waypost/contract'
import { bookingMailTexts } from '@waypost/texts/booking-mails'
import { describe, expect, test } from 'vitest'
import type { BookingMailKind } from '../../../src/booking/bookings/booking-record.ts'
import type { BookingMail, RecipientRole } from '../../../src/booking/mail/booking-mail.ts'
import { mailTextOf } from '../../../src/booking/mail/mail-text.ts'
import { languageOf } from '../../../src/booking/mail/mail-times.ts'
import { sampleMail } from './sample-mail.ts'

const kinds: BookingMailKind[] = ['confirmed', 'requested', 'declined', 'rescheduled', 'cancelled', 'reminder']
const roles: RecipientRole[] = ['guest', 'companion', 'organizer', 'host']

const to = (changes: Partial<BookingMail['recipient']>): Pick<BookingMail, 'recipient'> => ({
  recipient: { ...sampleMail().recipient, ...changes },
})

describe.each(EmailLanguage.options)('in %s', (language) => {
  test.for(kinds)('the mail "%s" has a subject, a text and HTML for every reader', (kind) => {
    for (const role of roles) {
      const mail = mailTextOf(sampleMail({ kind, ...to({ role, language }) }))
      expect(mail.subject).toContain('Consultation')
      for (const part of [mail.text, mail.html]) {
        expect(part).toContain('Olga')
        expect(part).toContain('Gina')
        expect(part).not.toMatch(/\{\w+\}|undefined|null|\[object/)
      }
      expect(mail.html).toContain(`<html lang="${language}">`)
    }
  })

  test('the first sentences are not those in English', () => {
    if (language === 'en') return
    expect(bookingMailTexts[language].toGuests).not.toEqual(bookingMailTexts.en.toGuests)
  })
})

describe('names and texts of people', () => {
  const hostile = '<script>alert("1")</script> & \'x\''
  const long = 'ن'.repeat(5_000)

  test('are escaped in HTML wherever they appear', () => {
    const people = { email: 'x@guest.test', name: hostile }
    const { booking } = sampleMail()
    for (const kind of kinds) {
      for (const role of roles) {
        const { html } = mailTextOf(
          sampleMail({
            kind,
            ...to({ role }),
            booking: { ...booking, title: hostile, location: hostile },
            reason: hostile,
            organizer: people,
            guest: people,
            companions: [people],
            hosts: [people],
            answers: [{ key: 'a', label: hostile, value: hostile }],
            cancellationPolicy: hostile,
            own: { title: hostile, body: hostile },
          }),
        )
        expect(html).not.toContain('<script')
        expect(html).not.toContain('"1"')
        expect(html).toContain('&#60;script&#62;')
      }
    }
  })

  test('cannot add a header, a link of another kind, or reorder the words around them', () => {
    const mail = sampleMail({
      booking: { ...sampleMail().booking, title: 'A\r\nBcc: evil@x.test\u202eB', conferenceUrl: 'javascript:alert(1)' },
      links: { cancel: 'javascript:alert(1)' },
      logo: 'http://tracker.test/"><img>',
    })
    const { subject, html, text } = mailTextOf(mail)
    expect(subject).toBe('Confirmed: A Bcc: evil@x.testB')
    expect(html).not.toMatch(/href="javascript|<img/)
    expect(text).not.toContain('\u202e')
  })

  test('may be long or written from right to left', () => {
    const mail = sampleMail({
      guest: { email: 'gina@guest.test', name: long },
      booking: { ...sampleMail().booking, title: long },
    })
    const { subject, html } = mailTextOf({ ...mail, ...to({ role: 'organizer' }) })
    expect([...subject].length).toBeLessThanOrEqual(200)
    expect(html).toContain(`<p dir="ltr">\u2068${long}\u2069`)
    expect(html).toContain('<bdi>')
  })
})

describe('a mail shows', () => {
  test('the time in the zone of its reader, also around a change of the clocks', () => {
    const shown = (zone: string) =>
      mailTextOf(sampleMail(to({ zone })))
        .text.split('\n')
        .find((line) => line.startsWith('When'))
    expect(shown('Europe/Berlin')).toBe('When: Sunday, March 28, 2027, 1:30 – 3:30 AM (Europe/Berlin)')
    expect(shown('America/New_York')).toContain('Saturday, March 27, 2027, 8:30 – 9:30 PM (America/New_York)')
    expect(shown('Asia/Tokyo')).toContain('Sunday, March 28, 2027, 9:30 – 10:30 AM')
    expect(shown('Mars/Olympus')).toContain('(UTC)')
    expect(mailTextOf(sampleMail(to({ language: 'de' }))).text).toContain('01:30–03:30 Uhr (Europe/Berlin)')
  })

  test('the texts of the configuration only to guests', () => {
    const own = { title: 'See you soon', body: 'Park behind\nthe house.' }
    const guest = mailTextOf(sampleMail({ own }))
    expect([guest.subject, guest.text.startsWith('Park behind\nthe house.')]).toEqual(['See you soon', true])
    expect(guest.html).toContain('Park behind<br>the house.')
    const host = mailTextOf(sampleMail({ own, ...to({ role: 'organizer' }) }))
    expect([host.subject, host.text.includes('Park behind')]).toEqual(['Confirmed: Consultation', false])
    expect(mailTextOf(sampleMail({ own, kind: 'rescheduled' })).subject).toBe('Rescheduled: Consultation')
  })

  test('the reason, the former time and the subject of a reminder', () => {
    const cancelled = mailTextOf(sampleMail({ kind: 'cancelled', reason: 'I am ill' }))
    expect(cancelled.text).toContain('Reason: I am ill')
    const moved = mailTextOf(
      sampleMail({ kind: 'rescheduled', previous: { start: 1_806_105_600, end: 1_806_107_400 } }),
    )
    expect(moved.text).toContain('Former time: Saturday, March 27')
    expect(mailTextOf(sampleMail({ kind: 'reminder', ownSubject: 'Tomorrow!' })).subject).toBe('Tomorrow!')
  })

  test("the guest's answers to hosts, the cancellation policy to guests, and participants unless they are hidden", () => {
    const guest = mailTextOf(sampleMail()).text
    const host = mailTextOf(sampleMail(to({ role: 'host' }))).text
    expect([guest.includes('Taxes'), host.includes('Topic: Taxes')]).toEqual([false, true])
    expect([guest.includes('a day before'), host.includes('a day before')]).toEqual([true, false])
    expect(guest).toContain('Participants: Hugo, carl@guest.test')
    const hidden = mailTextOf(sampleMail({ hidesParticipants: true }))
    expect(hidden.text).not.toContain('Hugo')
  })

  test('its links and the logo', () => {
    const { html, text } = mailTextOf(sampleMail())
    expect(html).toContain('<img src="https://host.test/logo.png"')
    expect(html).toContain('href="https://service.test/book/cancel/x"')
    expect(text).toContain('Reschedule: https://service.test/book/reschedule/x')
  })
})

test('a locale gives the language of its first letters, or English', () => {
  expect(['de', 'de-AT', 'zh_CN', 'KO', 'xx', '', undefined].map(languageOf)).toEqual([
    ...['de', 'de', 'zh', 'ko', 'en', 'en', 'en'],
  ])
})
