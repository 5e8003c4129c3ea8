import { describe, expect, test } from 'vitest'
import { stateAfter } from '../../src/booking/bookings/booking-states.ts'
import { formatReference, newSalt, readReference } from '../../src/booking/references.ts'

const configurationId = 'b1c2d3e4-0000-4000-8000-00000000000a'
const bookingId = '0a1b2c3d-1111-4222-9333-444455556666'

describe('a booking reference', () => {
  test('contains the configuration, the booking and the salt', () => {
    const salt = newSalt()
    expect(Buffer.from(salt, 'base64url')).toHaveLength(16)
    const text = formatReference({ configurationId, bookingId, salt })
    expect(text).toMatch(/^[A-Za-z0-9_-]{64}$/)
    expect(readReference(text)).toEqual({ configurationId, bookingId, salt })
  })

  test('of another service may have a salt of ten bytes', () => {
    const salt = Buffer.alloc(10, 7).toString('base64url')
    expect(readReference(formatReference({ configurationId, bookingId, salt }))?.salt).toBe(salt)
  })

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(64)}=`, 'A'.repeat(400), 'ä'.repeat(64)])('is not %j', (text) => {
    expect(readReference(text)).toBeUndefined()
  })
})

describe('the life of a booking', () => {
  test('a pending booking is confirmed or declined, a booked one is not', () => {
    const needs = { needsConfirmation: true }
    expect(stateAfter('creating', 'create', needs)).toBe('pending')
    expect(stateAfter('creating', 'create', { needsConfirmation: false })).toBe('booked')
    expect(stateAfter('pending', 'confirm', needs)).toBe('booked')
    expect(stateAfter('pending', 'decline', needs)).toBe('cancelled')
    expect(stateAfter('booked', 'confirm', needs)).toBeUndefined()
    expect(stateAfter('pending', 'reschedule', needs)).toBe('pending')
    expect(stateAfter('booked', 'cancel', needs)).toBe('cancelled')
    for (const kind of ['confirm', 'decline', 'reschedule', 'cancel'] as const) {
      expect(stateAfter('cancelled', kind, needs)).toBeUndefined()
      expect(stateAfter('creating', kind, needs)).toBeUndefined()
    }
  })
})
