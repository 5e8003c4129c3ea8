import { ApiError } from '@waypost/platform/api-error'
import { ConnectionFailed } from '@waypost/providers/mail/connection-failed'
import { wordsAbout } from '@waypost/providers/mail/server-account'
import { refusalError } from '@waypost/providers/shared/refusal'
import { expect, test } from 'vitest'
import { toApiError } from '../../../providers/src/imap/errors.ts'
import { wordsAboutAccount, wordsOf } from '../../src/grants/refused-credentials.ts'

test("a refused login is described with the host and the server's response", () => {
  const failed = new ConnectionFailed(
    'credentials',
    'imap.example.com port 993 did not accept it',
    undefined,
    'No plan',
  )
  expect(wordsOf(toApiError(failed))).toBe(
    'imap.example.com port 993 did not accept it: the end user must authenticate again (the provider said: No plan)',
  )
})

test('a refusal over HTTP is described with the host, and an empty response is not quoted', () => {
  expect(wordsOf(refusalError('dav.example.com', { status: 401, reason: '', message: '' }, {}))).toBe(
    'dav.example.com did not accept the credentials (HTTP 401): the end user must authenticate again',
  )
})

test('a reason without a description names the provider, and for Exchange the server', () => {
  const revoked = new ApiError('grant_invalid', undefined, { providerError: { error: 'invalid_grant' } })
  const google = wordsAboutAccount(revoked, { provider: 'google', settings: {} })
  expect(google).toMatch(/^Google: .*\(the provider said: invalid_grant\)$/)
  const locked = new ApiError('grant_invalid', 'the account is locked')
  const exchange = { provider: 'ews', settings: { ews_host: 'mail.example.com' } } as const
  expect(wordsAboutAccount(locked, exchange)).toBe('mail.example.com: the account is locked')
})

test("a server's response is not stored if it may contain the secret", () => {
  const login = { user: 'ann@example.com', password: 'hunter2' }
  expect(wordsAbout(login, '535 5.7.8 ann@example.com:\r\n bad  password')).toBe(
    '535 5.7.8 ann@example.com: bad password',
  )
  expect(wordsAbout(login, '535 "hunter2" is wrong')).toBe('')
  const encoded = Buffer.from('\0ann@example.com\0hunter2').toString('base64')
  expect(wordsAbout(login, `535 ${encoded} is wrong`)).toBe('')
  expect(wordsAbout(login, undefined)).toBe('')
})
