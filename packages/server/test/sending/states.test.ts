import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isTooLate,
  maxLateMs,
  maxQueuedLateMs,
  nextState,
  retryDelay,
  type SendState,
  type SendTrigger,
  sendStates,
  sendTriggers,
  statesBefore,
  verdictOf,
} from '../../src/sending/ledger/states.ts'

/** All allowed transitions; every other one is refused. */
const steps: readonly [SendState, SendTrigger, SendState | 'ready'][] = [
  ['accepted', 'claim', 'claimed'],
  ['accepted', 'refuse', 'failed'],
  ['scheduled', 'claim', 'claimed'],
  ['scheduled', 'refuse', 'failed'],
  ['scheduled', 'cancel', 'cancelled'],
  ['claimed', 'claim', 'claimed'],
  ['claimed', 'begin', 'transmitting'],
  ['claimed', 'refuse', 'failed'],
  ['claimed', 'postpone', 'ready'],
  ['transmitting', 'take', 'sent'],
  ['transmitting', 'refuse', 'failed'],
  ['transmitting', 'postpone', 'ready'],
  ['transmitting', 'lose', 'unknown'],
  ['unknown', 'take', 'sent'],
  ['unknown', 'refuse', 'failed'],
  ['unknown', 'find', 'sent'],
  ['unknown', 'give_up', 'failed'],
  ['unknown', 'resend', 'ready'],
]

describe('the states of an outgoing message', () => {
  const known = new Map(steps.map(([state, trigger, next]) => [`${state} ${trigger}`, next]))
  const all = sendStates.flatMap((state) => sendTriggers.map((trigger) => [state, trigger] as const))

  test.each(all)('%s + %s', (state, trigger) => {
    const next = known.get(`${state} ${trigger}`)
    for (const ready of ['accepted', 'scheduled'] as const) {
      expect(nextState(state, trigger, ready)).toBe(next === 'ready' ? ready : next)
    }
    expect(statesBefore(trigger).includes(state)).toBe(next !== undefined)
  })

  test('a message that is being sent cannot be claimed, and final states have no exit', () => {
    expect(nextState('transmitting', 'claim', 'accepted')).toBeUndefined()
    expect(nextState('unknown', 'claim', 'scheduled')).toBeUndefined()
    for (const end of ['sent', 'failed', 'cancelled'] as const) {
      for (const trigger of sendTriggers) expect(nextState(end, trigger, 'scheduled')).toBeUndefined()
    }
  })

  test('unless the operator chose otherwise, a message is transmitted at most once, whatever happens', () => {
    const triggers = sendTriggers.filter((trigger) => trigger !== 'resend' && trigger !== 'postpone')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 40 }), (happened) => {
        let state: SendState = 'scheduled'
        let handedOver = 0
        for (const trigger of happened) {
          const next = nextState(state, trigger, 'scheduled')
          if (!next) continue
          if (next === 'transmitting') handedOver++
          state = next
        }
        expect(handedOver).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the consequence of a failed attempt', () => {
  const at = { dueAt: 1_000_000, tries: 1, now: 1_000_500, lateMs: maxLateMs }
  const scheduled = { ...at, isAwaited: false }
  const passing = { permanent: false, maybeSent: false }

  test('a message that may have been sent is never retried', () => {
    for (const permanent of [true, false]) {
      for (const isAwaited of [true, false]) {
        expect(verdictOf({ permanent, maybeSent: true }, { ...at, isAwaited })).toEqual({ trigger: 'lose' })
      }
    }
  })

  test('a permanent refusal is not retried, nor a message that a request waits for', () => {
    expect(verdictOf({ permanent: true, maybeSent: false }, scheduled)).toEqual({ trigger: 'refuse' })
    expect(verdictOf(passing, { ...at, isAwaited: true })).toEqual({ trigger: 'refuse' })
  })

  test('a scheduled message is retried with growing delays until an hour after its time', () => {
    expect(verdictOf(passing, scheduled)).toEqual({ trigger: 'postpone', at: at.now + 30_000 })
    let now = at.dueAt
    let tries = 0
    for (;;) {
      const verdict = verdictOf(passing, { ...scheduled, tries: ++tries, now })
      if (verdict.trigger !== 'postpone') break
      expect(verdict.at - now).toBe(retryDelay(tries))
      expect(verdict.at).toBeLessThanOrEqual(at.dueAt + maxLateMs)
      now = verdict.at
    }
    expect(tries).toBeGreaterThan(5)
    expect(at.dueAt + maxLateMs - now).toBeLessThan(600_000)
    expect([1, 2, 3, 6, 50].map(retryDelay)).toEqual([30_000, 60_000, 120_000, 600_000, 600_000])
  })

  test('it is too late an hour after its time, not earlier', () => {
    const patience = { isAwaited: false, dueAt: 0, lateMs: maxLateMs }
    expect(isTooLate(patience, maxLateMs)).toBe(false)
    expect(isTooLate(patience, maxLateMs + 1)).toBe(true)
  })

  test('a mail about an event is retried for a day', () => {
    const queued = { ...scheduled, lateMs: maxQueuedLateMs }
    expect(verdictOf(passing, { ...queued, now: at.dueAt + maxLateMs })).toMatchObject({ trigger: 'postpone' })
    expect(verdictOf(passing, { ...queued, now: at.dueAt + maxQueuedLateMs })).toEqual({ trigger: 'refuse' })
    expect(isTooLate(queued, at.dueAt + maxQueuedLateMs)).toBe(false)
    expect(isTooLate(queued, at.dueAt + maxQueuedLateMs + 1)).toBe(true)
  })
})
