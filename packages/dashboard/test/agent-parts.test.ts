/** The pure parts of the pages about restricted keys, agents and approvals. */
import { describe, expect, test } from 'vitest'
import type { KeyRights } from '../../sdk/src/index.ts'
import { visibleText } from '../src/foreign-text.ts'
import {
  firstRights,
  operationGroups,
  presets,
  sayApproval,
  sayGrants,
  sayLimits,
  sayOperations,
} from '../src/pages/agents/rights.ts'
import { sayAction, sayRequester, saySize } from '../src/pages/approvals/approval-words.ts'

const rights = (more: Partial<KeyRights> = {}): KeyRights => ({ ...firstRights, ...more })

describe('rights', () => {
  test('are said in words, by object', () => {
    expect(sayOperations(rights({ operations: ['mcp', 'mail.send', 'mail.read', 'webhooks'] }))).toEqual([
      'Mail: read, send',
      'Webhooks, MCP endpoint',
    ])
    expect(sayOperations(rights())).toEqual(['Mail: read', 'Calendars: read', 'Contacts: read'])
    expect(sayApproval(rights())).toBe('Sending, deleting and inviting need approval')
    expect(sayApproval(rights({ approval: ['delete'] }))).toBe('Deleting needs approval')
    expect(sayApproval(rights({ approval: [] }))).toBe('Acts without approval')
    expect(sayGrants({ metadata: { team: 'support' } })).toBe('Grants with team = support')
    expect(
      sayLimits(rights({ recipients: ['a.example', 'b.example'], networks: ['::1'], messages_per_hour: 1 })),
    ).toEqual(['All grants', 'Only to a.example and b.example', '1 message per hour', 'Only from ::1'])
  })

  test('every operation of the words and presets is offered once', () => {
    const offered = operationGroups.flatMap(([, all]) => all.map(([operation]) => operation))
    expect(new Set(offered).size).toBe(offered.length)
    for (const { operations } of presets) for (const operation of operations) expect(offered).toContain(operation)
    expect(sayOperations(rights({ operations: offered })).join(' ')).toBe(
      'Mail: read, organize, draft, send, delete Calendars: read, change Contacts: read, change Scheduling, Webhooks, Administration, MCP endpoint',
    )
  })
})

test('foreign text shows characters that nobody sees', () => {
  expect(visibleText('a\u202Eb\u200Bc\u0007d\n\te\u{E0041}')).toBe('a\\u202eb\\u200bc\\u0007d\n\te\\ue0041')
  expect(visibleText('Zoë 👩‍💻 می‌خواهم')).toBe('Zoë 👩‍💻 می‌خواهم')
})

test('actions and sizes are said in words', () => {
  expect(sayRequester({ type: 'agent', id: 'a', name: 'Cl\u202Eaude' })).toBe('Agent Cl\\u202eaude')
  expect(sayAction({ operation: 'messages.send', kind: 'send' })).toBe('Send a message')
  expect(sayAction({ operation: 'something.new', kind: 'invite' })).toBe('Notify other people')
  expect([12, 4_200, 3_000_000].map(saySize)).toEqual(['12 bytes', '4.2 kB', '3.0 MB'])
})
