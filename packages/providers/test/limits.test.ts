import type { ApiError } from '@waypost/platform/api-error'
import { describe, expect, test } from 'vitest'
import { checkLimits, commonLimits, defineLimits, ignored, invalid, namedLimits, unsupported } from '../src/limits.ts'
import { hasOperation, type Providers, providers } from '../src/registry.ts'

const limits = defineLimits({
  'messages.list': { query: { shared_from: unsupported('use another grant'), query_imap: ignored('always asked') } },
  'events.list': { query: { 'event_type[]': invalid('must be default', { except: ['default'] }) } },
  'events.create': {
    body: {
      'participants[].comment': ignored('no comments'),
      'conferencing.autocreate': invalid('send details'),
      'reminders.overrides[].reminder_method': invalid('must be popup', { values: ['sound'] }),
      visibility: ignored('all is public', { values: ['private', null] }),
    },
  },
})
const provider = { kind: 'fax', limits }
const check = (operation: string, request: { query?: unknown; body?: unknown }): string[] =>
  checkLimits(provider, operation, { query: {}, body: undefined, ...request })
const refused = (operation: string, request: { query?: unknown; body?: unknown }): ApiError => {
  try {
    check(operation, request)
  } catch (error) {
    return error as ApiError
  }
  throw new Error('nothing was refused')
}

describe('the check of limits', () => {
  test('refuses by name, with the provider and what to do instead', () => {
    const error = refused('messages.list', { query: { shared_from: 'bob@x.test' } })
    expect([error.code, error.message]).toEqual([
      'not_supported_by_provider',
      'shared_from: fax does not support it: use another grant',
    ])
    expect(error.details).toEqual({
      fields: { provider: 'fax', capability: 'shared_from' },
      validationErrors: { shared_from: 'use another grant' },
    })
  })

  test('returns the names of ignored fields, each once', () => {
    const guest = { email: 'a@x.test', comment: 'hi' }
    expect(check('messages.list', { query: { query_imap: true } })).toEqual(['query_imap'])
    expect(check('events.create', { body: { participants: [guest, guest] } })).toEqual(['participants.comment'])
  })

  test('skips absent and unwanted fields', () => {
    expect(check('messages.list', { query: { shared_from: undefined, query_imap: false } })).toEqual([])
    expect(check('events.create', { body: { participants: [{ comment: null }, {}], conferencing: null } })).toEqual([])
    expect(check('events.create', { body: { participants: null, reminders: { overrides: [] } } })).toEqual([])
    expect(check('events.create', { body: undefined })).toEqual([])
    expect(check('events.delete', { query: { shared_from: 'bob@x.test' } })).toEqual([])
    expect(checkLimits({ kind: 'fax' }, 'messages.list', { query: { shared_from: 'x' }, body: {} })).toEqual([])
  })

  test('checks objects and lists, and names the item', () => {
    const error = refused('events.create', {
      body: { reminders: { overrides: [{ reminder_method: 'popup' }, { reminder_method: 'sound' }] } },
    })
    expect([error.code, error.details.validationErrors]).toEqual([
      'invalid_request',
      { 'reminders.overrides.1.reminder_method': 'must be popup' },
    ])
    expect(refused('events.create', { body: { conferencing: { autocreate: {} } } }).message).toContain('autocreate')
  })

  test('checks only the values that a limit is about', () => {
    expect(check('events.create', { body: { visibility: 'public' } })).toEqual([])
    expect(check('events.create', { body: { visibility: null } })).toEqual(['visibility'])
    expect(check('events.list', { query: { event_type: ['default'] } })).toEqual([])
    expect(refused('events.list', { query: { event_type: ['default', 'x'] } }).message).toContain('event_type.1')
  })

  test('applies to fields that no provider supports, whatever the provider', () => {
    expect(check('events.update', { body: { status: 'cancelled', calendar_id: 'x' } })).toEqual([
      'status',
      'calendar_id',
    ])
  })
})

test('a field that a request does not have does not compile', () => {
  const misspelt = { shared_form: unsupported('x') }
  // @ts-expect-error also where it comes from a table that several operations share
  defineLimits({ 'messages.list': { query: misspelt } })
  // @ts-expect-error
  defineLimits({ 'messages.list': { query: { 'shared_from[]': unsupported('x') } } })
  // @ts-expect-error
  defineLimits({ 'events.create': { body: { 'participants[].color': unsupported('x') } } })
  // @ts-expect-error
  defineLimits({ 'events.create': { body: { visibility: invalid('x', { values: ['secret'] }) } } })
  // @ts-expect-error
  defineLimits({ 'events.paint': {} })
  expect(namedLimits(defineLimits({ 'events.create': { body: { 'when.time': ignored('x') } } }))).toMatchObject([
    { operation: 'events.create', part: 'body', path: 'when.time', answer: 'ignored' },
  ])
})

describe.each(Object.entries<Providers[string]>(providers))('the limits of %s', (_kind, each) => {
  test('belong to operations that it has', () => {
    const operations = namedLimits(each.limits ?? {}).map(({ operation }) => operation.split('.'))
    const lacking = operations.filter(([resource = '', name = '']) => !hasOperation(each, resource, name))
    expect(lacking).toEqual([])
  })

  test('name no field that no provider supports', () => {
    const nameOf = ({ operation, part, path }: { operation: string; part: string; path: string }) =>
      `${operation} ${part} ${path}`
    const common = new Set(namedLimits(commonLimits).map(nameOf))
    expect(
      namedLimits(each.limits ?? {})
        .map(nameOf)
        .filter((name) => common.has(name)),
    ).toEqual([])
  })
})
