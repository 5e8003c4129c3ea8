import { describe, expect, test } from 'vitest'
import { type GrantChange, type GrantState, type GrantTrigger, refusal, transition } from '../../src/grants/states.ts'

const states: readonly GrantState[] = ['none', 'unverified', 'valid', 'invalid', 'deleted']
const triggers: readonly GrantTrigger[] = [
  'hosted_sign_in',
  'token_exchange',
  'custom_authentication',
  'access_lost',
  'code_expired',
  'delete',
]

/** The visible effects of a change; a dash is an impossible cell. */
type Cell = { next: GrantState; tells?: string; billing?: string; flags?: string } | '-'

/**
 * The table of grant states from the specification, cell by cell: "States and transitions", rules 1 and 2, and
 * "Billing". Cells that it does not define have a comment.
 */
const table: Record<GrantState, Record<GrantTrigger, Cell>> = {
  none: {
    hosted_sign_in: { next: 'unverified' },
    token_exchange: '-',
    custom_authentication: { next: 'valid', tells: 'grant.created', billing: 'start' },
    access_lost: '-',
    code_expired: '-',
    delete: '-',
  },
  unverified: {
    // The user signs in a second time before the first code was exchanged.
    hosted_sign_in: { next: 'unverified' },
    token_exchange: { next: 'valid', tells: 'grant.created', billing: 'start' },
    custom_authentication: { next: 'valid', tells: 'grant.created', billing: 'start' },
    // A grant that is not verified is not used, so lost access cannot be noticed.
    access_lost: '-',
    // No application was notified of it, so none is notified of its removal, and it was never billed.
    code_expired: { next: 'deleted', flags: 'erase' },
    delete: { next: 'deleted', flags: 'erase' },
  },
  valid: {
    // An abandoned sign-in must not harm a working grant.
    hosted_sign_in: { next: 'valid' },
    token_exchange: { next: 'valid', tells: 'grant.updated', flags: 'reauthentication' },
    custom_authentication: { next: 'valid', tells: 'grant.updated', flags: 'reauthentication' },
    access_lost: { next: 'invalid', tells: 'grant.expired' },
    code_expired: { next: 'valid' },
    delete: { next: 'deleted', tells: 'grant.deleted', billing: 'stop', flags: 'erase' },
  },
  invalid: {
    hosted_sign_in: { next: 'invalid' },
    token_exchange: { next: 'valid', tells: 'grant.updated', flags: 'backfill reauthentication' },
    custom_authentication: { next: 'valid', tells: 'grant.updated', flags: 'backfill reauthentication' },
    // Expiry is notified once.
    access_lost: { next: 'invalid' },
    code_expired: { next: 'invalid' },
    delete: { next: 'deleted', tells: 'grant.deleted', billing: 'stop', flags: 'erase' },
  },
  // "The deleted one is not restored": authentication starts again at none, under a new id.
  deleted: {
    hosted_sign_in: '-',
    token_exchange: '-',
    custom_authentication: '-',
    access_lost: '-',
    code_expired: '-',
    delete: '-',
  },
}

function cellOf(change: GrantChange | undefined): Cell {
  if (!change) return '-'
  const { next, notification, billing, ...rest } = change
  const flags = Object.entries(rest)
    .filter(([, value]) => value)
    .map(([name]) => name)
    .sort()
    .join(' ')
  return {
    next,
    ...(notification ? { tells: notification } : {}),
    ...(billing ? { billing } : {}),
    ...(flags ? { flags } : {}),
  }
}

const cells = states.flatMap((state) =>
  triggers.map((trigger) => ({ state, trigger, expected: table[state][trigger] })),
)

describe('the life of a grant', () => {
  test('has thirty cells', () => {
    expect(cells).toHaveLength(30)
  })

  test.each(cells)('$state with $trigger is as specified', ({ state, trigger, expected }) => {
    expect(cellOf(transition(state, trigger))).toEqual(expected)
  })

  test('bills a grant from its verification to its deletion and at no other step', () => {
    const billed: Record<GrantState, boolean> = {
      none: false,
      unverified: false,
      valid: true,
      invalid: true,
      deleted: false,
    }
    for (const { state, trigger } of cells) {
      const change = transition(state, trigger)
      if (!change) continue
      const expected =
        billed[state] === billed[change.next] ? undefined : billed[change.next] ? 'start' : ('stop' as const)
      expect({ state, trigger, billing: change.billing }).toEqual({ state, trigger, billing: expected })
    }
  })

  test('notifies every visible change of a verified grant, and nothing else', () => {
    const seen = (state: GrantState): GrantState => (state === 'unverified' || state === 'deleted' ? 'none' : state)
    for (const { state, trigger } of cells) {
      const change = transition(state, trigger)
      if (!change) continue
      const visible = seen(state) !== seen(change.next) || change.reauthentication === true
      expect({ state, trigger, reported: change.notification !== undefined }).toEqual({
        state,
        trigger,
        reported: visible,
      })
    }
  })

  test('never restores a deleted grant and never forgets a verified one', () => {
    for (const { state, trigger } of cells) {
      const next = transition(state, trigger)?.next
      if (state === 'deleted') expect(next).toBeUndefined()
      if (state === 'valid' || state === 'invalid') expect(['valid', 'invalid', 'deleted']).toContain(next)
    }
  })
})

describe('requests for the data of a grant', () => {
  test.each([
    ['none', false, 'grant_not_found'],
    ['none', true, 'grant_not_found'],
    ['unverified', false, 'grant_not_found'],
    ['unverified', true, 'grant_not_found'],
    ['valid', false, undefined],
    ['valid', true, 'resource_blocked'],
    ['invalid', false, 'grant_invalid'],
    ['invalid', true, 'resource_blocked'],
    ['deleted', false, 'grant_not_found'],
    ['deleted', true, 'grant_not_found'],
  ] as const)('that is %s (blocked: %s) get %s', (state, blocked, expected) => {
    expect(refusal(state, blocked)).toBe(expected)
  })
})
