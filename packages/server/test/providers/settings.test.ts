/** The operator's settings for providers, collected from the providers' folders. */
import { providerKinds } from '@waypost/contract'
import { providerSettings, sandboxScopes } from '@waypost/providers/settings'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

describe('settings of providers', () => {
  test('are named after their provider, each once, and for existing kinds', () => {
    const names = providerSettings.flatMap(({ variables }) => Object.keys(variables))
    expect(new Set(names).size).toBe(names.length)
    for (const { kind, variables } of providerSettings) {
      expect(Object.keys(providerKinds)).toContain(kind)
      const prefix = `WAYPOST_${kind.toUpperCase()}_`
      expect(Object.keys(variables).filter((name) => !name.startsWith(prefix))).toEqual([])
    }
  })

  test('give each sandbox connector its client and its scopes', () => {
    const { config, secrets } = readConfig({
      WAYPOST_GOOGLE_URL: 'http://127.0.0.1:3100/',
      WAYPOST_GOOGLE_CLIENT_ID: 'google-client',
      WAYPOST_GOOGLE_CLIENT_SECRET: 'google-words',
      WAYPOST_MICROSOFT_TENANT: '',
      WAYPOST_YAHOO_IMAP_URL: 'imaps://mail.test',
      WAYPOST_YAHOO_CLIENT_ID: 'yahoo-client',
    })
    expect(config.providerUrls).toEqual({ google: 'http://127.0.0.1:3100' })
    expect(config.providerServers).toEqual({ yahoo: { imap: 'imaps://mail.test' } })
    expect(secrets.sandboxClients).toEqual({
      google: { settings: { client_id: 'google-client' }, clientSecret: 'google-words' },
      microsoft: { settings: { tenant: 'common' }, clientSecret: undefined },
      yahoo: { settings: { client_id: 'yahoo-client' }, clientSecret: undefined },
    })
    expect(Object.keys(readConfig({}).secrets.sandboxClients)).toEqual(['google', 'microsoft'])
    expect(JSON.stringify(config)).not.toContain('google-words')
    expect(Object.keys(sandboxScopes)).toEqual(Object.keys(secrets.sandboxClients))
    expect(sandboxScopes.google).toEqual([
      'openid',
      'https://www.googleapis.com/auth/userinfo.email',
      'https://www.googleapis.com/auth/userinfo.profile',
      'https://www.googleapis.com/auth/gmail.modify',
      'https://www.googleapis.com/auth/gmail.send',
      'https://www.googleapis.com/auth/calendar',
      'https://www.googleapis.com/auth/contacts',
    ])
  })

  test('are refused together with all other invalid ones', () => {
    const env = { WAYPOST_PORT: 'x', WAYPOST_GOOGLE_URL: 'no address', WAYPOST_GOOGLE_CLIENTID: 'x' }
    const problem = (name: string) => expect.stringMatching(new RegExp(`^${name}\\b`))
    expect(() => readConfig(env)).toThrow(
      expect.objectContaining({
        problems: expect.arrayContaining([
          problem('WAYPOST_GOOGLE_CLIENTID'),
          problem('WAYPOST_PORT'),
          problem('WAYPOST_GOOGLE_URL'),
        ]),
      }),
    )
  })
})
