/** The pure parts of the pages about connectors: scopes in plain names, and warnings about settings. */
import { describe, expect, test } from 'vitest'
import { chosenIn, type ScopeTable, scopeTables, withChoice } from '../src/pages/connectors/scopes.ts'
import { doubtOf } from '../src/pages/connectors/setting-doubts.ts'

describe('scopes in plain names', () => {
  const google = scopeTables.google as ScopeTable
  const choices = (scopes: string[]) => google.parts.map((part) => chosenIn(google, part, scopes))

  test('no scopes mean full access, and short and long names are equivalent', () => {
    expect(choices([])).toEqual(['full', 'full', 'full'])
    expect(choices(['gmail.readonly', 'https://www.googleapis.com/auth/calendar'])).toEqual(['read', 'full', 'none'])
  })

  test('a choice changes only its part and keeps unrelated scopes', () => {
    const narrower = withChoice(google, [], { part: 'mail', choice: 'read' })
    expect(narrower).toEqual(['gmail.readonly', 'calendar', 'contacts'])
    const own = withChoice(google, ['directory.readonly', ...narrower], { part: 'contacts', choice: 'none' })
    expect(own).toEqual(['directory.readonly', 'gmail.readonly', 'calendar'])
    // An empty list would mean full access again.
    const nothing = ['mail', 'calendars'].reduce<string[]>(
      (scopes, part) => withChoice(google, scopes, { part, choice: 'none' }),
      ['contacts'],
    )
    expect(withChoice(google, nothing, { part: 'contacts', choice: 'none' })).toEqual(['openid'])
    expect(choices(['openid'])).toEqual(['none', 'none', 'none'])
  })
})

test('common mistakes in settings cause warnings', () => {
  expect(doubtOf('google', 'client_id', '123.apps.googleusercontent.com')).toBeUndefined()
  expect(doubtOf('google', 'client_id', 'GOCSPX-secret')).toContain('.apps.googleusercontent.com')
  expect(doubtOf('microsoft', 'client_secret', '0f6a2c41-7be3-4f0d-9e58-c4d17b9a3025')).toContain('secret value')
  expect(doubtOf('microsoft', 'client_secret', ' padded')).toContain('spaces')
  expect(doubtOf('imap', 'anything', '')).toBeUndefined()
})
