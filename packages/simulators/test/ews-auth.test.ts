import { execFile } from 'node:child_process'
import { type IncomingMessage, request } from 'node:http'
import { promisify } from 'node:util'
import { needsProgram } from '@waypost/testing/peers/needs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { md4 } from '../src/ews/auth/md4.ts'
import { servers } from '../src/ews/soap/versions.ts'
import { createThrottle } from '../src/ews/throttle.ts'
import type { ExchangeSimulator } from '../src/index.ts'
import { all, ask, basic, codes, envelope, openExchange, PASSWORD, texts } from './ews-account.ts'
import { getFolder, standard, standardOf } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange({ lockAfter: 3 })
exchange.addAccount({
  email: 'charles@exchange.example',
  username: 'cbabbage',
  domain: 'ENGINE',
  password: 'Difference 1',
})
exchange.addAccount({ email: 'service@exchange.example', password: PASSWORD, mayImpersonate: true })
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const inbox = getFolder(standard('inbox'))

/** The response to `curl --ntlm`, which performs the handshake itself. */
async function ntlm(simulator: ExchangeSimulator, user: string, password: string, more: readonly string[] = []) {
  const given = ['--ntlm', '-u', `${user}:${password}`, '-H', 'content-type: text/xml', '--data', envelope(inbox)]
  const { stdout } = await promisify(execFile)('curl', [
    '-sS',
    '-w',
    '\n%{http_code}',
    ...given,
    ...more,
    simulator.ewsUrl,
  ])
  return { status: Number(stdout.slice(stdout.lastIndexOf('\n') + 1)), text: stdout }
}

test('MD4 follows RFC 1320', () => {
  const digest = (text: string) => md4(Buffer.from(text)).toString('hex')
  expect(digest('')).toBe('31d6cfe0d16ae931b73c59d7e0c089c0')
  expect(digest('message digest')).toBe('d9130a8164549fe818874806e1c7014b')
  expect(digest('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
    'e33b4ddc9c38f2199c3e7b164fcc0536',
  )
})

test('a request without a password gets the ways to sign in', async () => {
  const answered = Promise.withResolvers<IncomingMessage>()
  request(exchange.ewsUrl, { method: 'POST' }, answered.resolve).end(envelope(inbox))
  const response = await answered.promise
  expect(response.statusCode).toBe(401)
  // One line per scheme, as IIS writes them: some clients read only one scheme per line.
  expect(response.headersDistinct['www-authenticate']).toEqual([
    'NTLM',
    expect.stringMatching(/^Basic realm="127\.0\.0\.1:\d+"$/),
  ])
  response.resume()
})

test('users sign in with NTLM, with each of their names', async (context) => {
  needsProgram(context, 'curl')
  for (const name of ['charles@exchange.example', 'cbabbage', 'ENGINE\\cbabbage', 'engine\\CBabbage']) {
    expect(await ntlm(exchange, name, 'Difference 1'), name).toMatchObject({ status: 200 })
  }
  for (const name of ['OTHER\\cbabbage', 'nobody'])
    expect((await ntlm(exchange, name, 'Difference 1')).status).toBe(401)
})

test('a connection belongs to the user who signed in over it', async (context) => {
  needsProgram(context, 'curl')
  exchange.clearCalls()
  // The second request uses the same connection, without another handshake.
  const again = [
    '--next',
    '-sS',
    '--ntlm',
    '-u',
    `ada:${PASSWORD}`,
    '-H',
    'content-type: text/xml',
    '--data',
    envelope(inbox),
  ]
  await ntlm(exchange, 'ada', PASSWORD, [exchange.ewsUrl, ...again])
  expect(exchange.calls.map(({ status, account }) => [status, account])).toEqual([
    [401, undefined],
    [200, 'ada@exchange.example'],
    [200, 'ada@exchange.example'],
  ])
})

test('wrong passwords are refused, and finally lock the account', async (context) => {
  needsProgram(context, 'curl')
  const { exchange: other, ...rest } = await openExchange({ lockAfter: 3 })
  const tries = [
    await ntlm(other, 'ada', 'wrong'),
    await ntlm(other, 'ada', 'wrong'),
    await ntlm(other, 'ada', 'wrong'),
  ]
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401])
  expect(await ask(other, inbox)).toMatchObject({ status: 401, text: expect.stringContaining('currently locked out') })
  await rest[Symbol.asyncDispose]()
})

test('accounts that cannot be used return the reason', async () => {
  const ada = exchange.account('ada@exchange.example')
  ada.refuseSignIn('disabled')
  expect(await ask(exchange, inbox)).toMatchObject({ status: 401, text: expect.stringContaining('disabled') })
  ada.refuseSignIn('passwordExpired')
  expect(await ask(exchange, inbox)).toMatchObject({
    status: 500,
    text: expect.stringContaining('ErrorPasswordExpired'),
  })
  ada.refuseSignIn('ewsBlocked')
  expect(await ask(exchange, inbox)).toMatchObject({ status: 403 })
  ada.refuseSignIn(undefined)
  ada.changePassword('another')
  expect(await ask(exchange, inbox)).toMatchObject({ status: 401 })
  expect(await ask(exchange, inbox, { password: 'another' })).toMatchObject({ status: 200 })
  ada.changePassword(PASSWORD)
  ada.setMoving(true)
  expect((await ask(exchange, inbox)).text).toContain('ErrorMailboxMoveInProgress')
  ada.setMoving(false)
  expect(await ask(exchange, inbox)).toMatchObject({ status: 200 })
})

test('a user with the role can impersonate another, and others are refused', async () => {
  const as = (email: string, kind = 'PrimarySmtpAddress') =>
    `<t:ExchangeImpersonation><t:ConnectingSID><t:${kind}>${email}</t:${kind}></t:ConnectingSID></t:ExchangeImpersonation>`
  const own = await ask(exchange, inbox, { user: 'grace@exchange.example' })
  const service = { user: 'service@exchange.example' }
  const acting = await ask(exchange, inbox, { ...service, header: as('grace@exchange.example') })
  const idIn = (answer: typeof own) => all(answer.body, 'FolderId')[0]?.attributes.Id
  expect(idIn(acting)).toBe(idIn(own))
  expect((await ask(exchange, inbox, { header: as('grace@exchange.example') })).text).toContain(
    'ErrorImpersonateUserDenied',
  )
  expect((await ask(exchange, inbox, { ...service, header: as('no@exchange.example') })).text).toContain(
    'ErrorNonExistentMailbox',
  )
})

test('folders of others can be read as far as they are shared', async () => {
  const grace = exchange.account('grace@exchange.example')
  const of = (name: string) => getFolder(standardOf('grace@exchange.example', name), { base: 'AllProperties' })
  expect(codes(await ask(exchange, of('inbox')))).toEqual(['ErrorFolderNotFound'])
  grace.shareFolder('ada@exchange.example', 'calendar')
  const calendar = await ask(exchange, of('calendar'))
  expect(codes(calendar)).toEqual(['NoError'])
  expect(texts(calendar.body, 'Modify')).toEqual(['false'])
  expect(codes(await ask(exchange, of('inbox')))).toEqual(['ErrorFolderNotFound'])
  grace.shareWith('ada@exchange.example')
  expect(codes(await ask(exchange, of('inbox')))).toEqual(['NoError'])
  expect(codes(await ask(exchange, getFolder(standardOf('no@exchange.example', 'inbox'))))).toEqual([
    'ErrorNonExistentMailbox',
  ])
})

test('a server accepts its known schema versions, with their features', async () => {
  const { exchange: old, ...rest } = await openExchange({ serverVersion: '2010_SP1' })
  expect(await ask(old, inbox)).toMatchObject({
    status: 500,
    text: expect.stringContaining('ErrorInvalidServerVersion'),
  })
  const good = await ask(old, inbox, { version: 'Exchange2010_SP1' })
  expect(good.text).toContain('MajorVersion="14" MinorVersion="1"')
  const recent = await ask(old, getFolder(standard('conversationhistory')), { version: 'Exchange2010_SP1' })
  expect(codes(recent)).toEqual(['ErrorSchemaValidation'])
  const svc = await fetch(`${old.url}/autodiscover/autodiscover.svc`, { method: 'POST' })
  expect(svc.status).toBe(401)
  await rest[Symbol.asyncDispose]()
})

test('too many requests are refused with a delay', async () => {
  const { exchange: busy, ...rest } = await openExchange({
    limits: { requestsPerMinute: 2 },
  })
  await ask(busy, inbox)
  await ask(busy, inbox)
  const third = await ask(busy, inbox)
  expect(third.status).toBe(500)
  expect(third.text).toMatch(/ErrorServerBusy.*<t:Value Name="BackOffMilliseconds">\d+<\/t:Value>/)
  await rest[Symbol.asyncDispose]()
})

test('more concurrent requests than a user may make are refused', async () => {
  const throttle = createThrottle(Date.now, servers['2016'], { concurrent: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting = [throttle.during('ada', () => promise), throttle.during('ada', () => promise)]
  await expect(throttle.during('ada', () => promise)).rejects.toMatchObject({ code: 'ErrorExceededConnectionCount' })
  // Other users are not affected, and a failed request frees its slot too.
  await expect(throttle.during('grace', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  resolve()
  await Promise.all(waiting)
  await throttle.during('ada', async () => {})
})

test('requested failures occur', async () => {
  exchange.fail({ operation: 'GetFolder' }, { status: 500, code: 'ErrorServerBusy', backOffMilliseconds: 250 })
  expect((await ask(exchange, inbox)).text).toContain('<t:Value Name="BackOffMilliseconds">250</t:Value>')
  exchange.fail({ operation: 'GetFolder' }, { status: 200, code: 'ErrorMailboxStoreUnavailable' })
  expect(codes(await ask(exchange, inbox))).toEqual(['ErrorMailboxStoreUnavailable'])
  exchange.fail({ operation: /Folder$/ }, { status: 200, html: '<h1>Sign in</h1>' })
  expect(await ask(exchange, inbox)).toMatchObject({ status: 200, text: '<h1>Sign in</h1>' })
  for (const failure of [{ drop: 'before' }, { cut: true }] as const) {
    exchange.fail({ operation: 'GetFolder' }, failure)
    await expect(ask(exchange, inbox)).rejects.toThrow()
  }
  expect(codes(await ask(exchange, inbox))).toEqual(['NoError'])
})

test('an invalid EWS request is refused as Exchange does', async () => {
  const post = (body: string) =>
    fetch(exchange.ewsUrl, { method: 'POST', body, headers: { authorization: basic('ada@exchange.example') } })
  expect((await post('<not xml')).status).toBe(400)
  expect((await post('')).status).toBe(400)
  const text = async (body: string) => (await post(body)).text()
  expect(await text(envelope('<m:NoSuchThing/>'))).toContain('ErrorInvalidRequest')
  expect(await text(envelope('<x:GetFolder xmlns:x="urn:other"/>'))).toContain('ErrorSchemaValidation')
  expect((await post('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).status).toBe(400)
  expect((await fetch(`${exchange.url}/owa/`)).status).toBe(404)
})

test('Autodiscover returns the EWS address in both of its forms', async () => {
  const ada = { authorization: basic('ada@exchange.example'), 'content-type': 'text/xml' }
  const post = (path: string, body: string) =>
    fetch(`${exchange.url}/autodiscover/autodiscover.${path}`, { method: 'POST', headers: ada, body })
  const pox = async (email: string) => {
    const request = `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006"><Request>
      <EMailAddress>${email}</EMailAddress></Request></Autodiscover>`
    return (await post('xml', request)).text()
  }
  const soap = async (email: string) => {
    const request = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:a="http://schemas.microsoft.com/exchange/2010/Autodiscover">
      <s:Body><a:GetUserSettingsRequestMessage><a:Request><a:Users><a:User><a:Mailbox>${email}</a:Mailbox></a:User></a:Users>
      <a:RequestedSettings><a:Setting>ExternalEwsUrl</a:Setting></a:RequestedSettings></a:Request></a:GetUserSettingsRequestMessage>
      </s:Body></s:Envelope>`
    return (await post('svc', request)).text()
  }
  expect(await pox('ada@exchange.example')).toContain(
    '<EwsUrl>https://mail.exchange.example/EWS/Exchange.asmx</EwsUrl>',
  )
  expect(await soap('ada@exchange.example')).toContain(
    '<Name>ExternalEwsUrl</Name><Value>https://mail.exchange.example/EWS/Exchange.asmx</Value>',
  )
  expect(await pox('no@exchange.example')).toContain('<ErrorCode>500</ErrorCode>')
  expect(await soap('no@exchange.example')).toContain('<ErrorCode>InvalidUser</ErrorCode>')
  exchange.redirect('ada@exchange.example', { address: 'ada@corp.example' })
  expect(await pox('ada@exchange.example')).toContain('<RedirectAddr>ada@corp.example</RedirectAddr>')
  expect(await soap('ada@exchange.example')).toContain('<RedirectTarget>ada@corp.example</RedirectTarget>')
  exchange.redirect('ada@exchange.example', undefined)
  expect((await fetch(`${exchange.url}/Autodiscover/Autodiscover.xml`)).status).toBe(401)
})
