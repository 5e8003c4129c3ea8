/** Responses to a login: wrong credentials invalidate a grant, and no other response does. */

import { type ScriptedImap, type ScriptedOptions, startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '../../harness.ts'
import { attempt, openScripted, openScriptedService, subjectsOf } from '../scripted-account.ts'

let service: TestService
beforeAll(async () => {
  service = await openScriptedService()
})
afterAll(() => service?.[Symbol.asyncDispose]())
const open = (options: ScriptedOptions, subjects?: readonly string[]) => openScripted(service, options, subjects)

describe('a login', () => {
  const login = (answer: string, rest: ScriptedOptions = {}): Promise<ScriptedImap> =>
    startScriptedImap({
      ...rest,
      script({ name, tag }, line) {
        if (name !== 'LOGIN') return false
        if (answer !== '') line.say(answer.startsWith('*') ? answer : `${tag} ${answer}`)
        if (answer === '' || answer.startsWith('*')) line.close()
        return true
      },
    })

  test.each([
    ['NO [AUTHENTICATIONFAILED] Authentication failed', 400, 'settings.imap_password'],
    ['NO Login failed: invalid user or password, try again later', 400, 'settings.imap_password'],
    ['NO [UNAVAILABLE] Temporary authentication failure', 504, 'settings.imap_host'],
    ['NO [SERVERBUG] Internal error', 504, 'settings.imap_host'],
    ['NO [INUSE] Mailbox is locked', 504, 'settings.imap_host'],
    ['NO Server Unavailable. 15', 504, 'settings.imap_host'],
    ['* BYE [UNAVAILABLE] Shutting down', 504, 'settings.imap_host'],
    ['NO [LIMIT] Login limit reached', 429, 'settings.imap_username'],
    ['NO [LIMIT] Too many connections', 429, 'settings.imap_username'],
    ['NO [ALERT] Too many simultaneous connections', 429, 'settings.imap_username'],
    ['', 400, 'settings.imap_port'],
  ])('that is answered with %j is reported with its cause', async (said, status, field) => {
    await using server = await login(said)
    const { answer } = await attempt(service, server)
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(field) } } })
  })

  test.each([
    [['* BYE [UNAVAILABLE] Shutting down'], 504],
    [['* BYE Too many connections'], 429],
    [['* BYE Go away', 'TAG NO [AUTHENTICATIONFAILED] Authentication failed'], 400],
  ])('that is answered with %j fails at once, even if the connection stays open', async (lines, status) => {
    await using server = await startScriptedImap({
      script({ name, tag }, line) {
        if (name !== 'LOGIN') return false
        line.say(...lines.map((each) => each.replace('TAG', tag)))
        return true
      },
    })
    const { answer } = await attempt(service, server)
    expect(answer).toMatchObject({ status })
  })

  test('at a server that greets with BYE reports too many connections', async () => {
    await using server = await startScriptedImap({ greeting: '* BYE Maximum connections exceeded' })
    const { answer } = await attempt(service, server)
    expect(answer).toMatchObject({ status: 429 })
  })

  test('at a server that greets with BYE is reported as a failure of the server', async () => {
    await using server = await startScriptedImap({ greeting: '* BYE Disk failure' })
    const { answer } = await attempt(service, server)
    expect(answer).toMatchObject({ status: 504, body: { error: { type: 'provider_error' } } })
  })

  test.each(['SERVERBUG', 'UNAVAILABLE', 'INUSE'])(
    'after which the server refuses to list folders with [%s] is reported as a failure of the server',
    async (code) => {
      await using server = await startScriptedImap({
        script({ name, tag, args }, line) {
          if (name !== 'LIST' || args[1] === '') return false
          line.say(`${tag} NO [${code}] Internal error occurred`)
          return true
        },
      })
      const { answer } = await attempt(service, server, { watch: true })
      expect(answer).toMatchObject({ status: 504, body: { error: { type: 'provider_error' } } })
    },
  )

  test('at a server without a supported method reports that', async () => {
    await using server = await startScriptedImap({ capabilities: ['LOGINDISABLED', 'AUTH=SCRAM-SHA-256'] })
    const { answer } = await attempt(service, server)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('no supported way to log in') } },
    })
  })

  test('that is followed by BYE at another command, on a connection that stays open, is retried', async () => {
    let byes = 1
    await using at = await open(
      {
        script({ name }, line) {
          if (name !== 'UID FETCH' || byes-- <= 0) return false
          line.say('* BYE Shutting down')
          return true
        },
      },
      ['first'],
    )
    expect(await subjectsOf(at.account)).toEqual(['first'])
    expect(byes).toBeLessThan(0)
  })

  test('that breaks off or fails temporarily leaves the grant valid; a refused login does not', async () => {
    let said: string | undefined
    await using at = await open(
      {
        script({ name, tag }, line) {
          if (name === 'STATUS' && said !== undefined) {
            line.close()
            return true
          }
          if (name !== 'LOGIN' || said === undefined) return false
          if (said === '') line.close()
          else line.say(`${tag} ${said}`)
          return true
        },
      },
      ['first'],
    )
    const { account } = at
    const status = async () =>
      (await account.call('GET', `/v3/grants/${account.grantId}`)).body.data.grant_status as string
    expect(await subjectsOf(account)).toEqual(['first'])
    for (said of ['', 'NO Temporary system failure', 'NO [UNAVAILABLE] later', 'NO [SERVERBUG] no', 'NO [INUSE] no']) {
      expect(await account.get('/messages')).toMatchObject({ status: 504 })
      expect(await status()).toBe('valid')
    }
    said = 'NO [AUTHENTICATIONFAILED] The mailbox moved to another plan'
    const refused = await account.get('/messages')
    expect(refused).toMatchObject({ status: 401 })
    expect(await status()).toBe('invalid')
    // The reason contains the host and the server's response.
    const path = `/v3/grants/${account.grantId}`
    const { data } = (await account.call('GET', path)).body
    expect(data.invalid_reason).toEqual({
      at: expect.any(Number),
      reason: 'credentials_refused',
      message: expect.stringMatching(
        / port \d+ did not accept .*\(the provider said: .*The mailbox moved to another plan\)/,
      ),
      request_id: refused.body.request_id,
    })
    const [listed] = (await account.call('GET', '/v3/grants?grant_status=invalid')).body.data
    expect(listed).not.toHaveProperty('invalid_reason')
  })
})
