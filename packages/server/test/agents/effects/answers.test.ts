/** The effects of an answer to an invitation outside the account. */
import type { Event } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { answerEffects } from '../../../src/agents/effects/event-effects.ts'

const event = (organizer: Event['organizer']): Event =>
  ({
    title: 'Review',
    organizer,
    participants: [],
    resources: [],
    when: { object: 'date', date: '2026-11-19' },
  }) as never

describe('an answer to an invitation', () => {
  test('counts as a message to the organizer, with or without a comment', () => {
    for (const comment of [undefined, null, '', 'Gladly']) {
      const answer = { event: event({ email: 'boss@x.test', name: null }), status: 'yes', comment }
      expect(answerEffects(answer, 'ada@x.test')).toMatchObject({
        kinds: ['send', 'invite'],
        recipients: [{ role: 'organizer', email: 'boss@x.test' }],
        hasUnknownRecipients: false,
      })
    }
  })

  test('reaches an unknown person if the provider does not name the organizer', () => {
    const answer = { event: event(null), status: 'no', comment: undefined }
    expect(answerEffects(answer, 'ada@x.test')).toMatchObject({
      ...{ kinds: ['send', 'invite'], recipients: [], hasUnknownRecipients: true },
    })
  })

  test('reaches nobody if the account organizes the event', () => {
    const answer = { event: event({ email: 'ADA@x.test', name: null }), status: 'no', comment: undefined }
    expect(answerEffects(answer, 'ada@x.test')).toMatchObject({ kinds: [], recipients: [] })
  })
})
