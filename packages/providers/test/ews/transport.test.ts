/** How an account reaches its server: its own connections, signed in by Basic or NTLM. */
import { X509Certificate } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ApiError } from '@waypost/platform/api-error'
import { certificate, certificateKey } from '@waypost/testing/peers/hostile-receivers'
import { describe, expect, test, vi } from 'vitest'
import { privateEgress } from '../../../platform/test/egress/making-egress.ts'
import { startExchange } from '../../../simulators/src/index.ts'
import { GetFolder } from '../../src/ews/operations/folders.ts'
import type { Session } from '../../src/ews/session.ts'
import { AccountConnections, type Line } from '../../src/ews/soap/connections.ts'
import { list, message, text } from '../../src/ews/soap/description.ts'
import { channelBindings } from '../../src/ews/soap/ntlm/target-info.ts'
import { operation } from '../../src/ews/soap/operation.ts'
import { distinguished } from '../../src/ews/types/ids.ts'
import { idAnd } from '../../src/ews/types/shapes.ts'
import { answerOf, ewsAccount, failed, folderAnswer, success } from './ews-account.ts'
import { type NtlmServer, type NtlmServerOptions, startNtlmServer } from './ntlm-server.ts'

const inbox = (session: Session) =>
  session.call(GetFolder, { FolderShape: idAnd(), FolderIds: [distinguished('inbox')] })
const nameOf = async (session: Session): Promise<string | undefined> => (await inbox(session)).Folders?.[0]?.DisplayName
const failureOf = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error) => error,
  )

const users = { 'CORP\\ada': 'secret', 'grace@corp.example': 'other', ada: 'secret' }
/** Answers with the user of the request. */
const server = (options: Partial<NtlmServerOptions> = {}): Promise<NtlmServer> =>
  startNtlmServer({ users, answer: ({ user }, response) => void response.end(folderAnswer(user)), ...options })
const shown = ({ seen }: NtlmServer): string[] => seen.map((each) => `${each.connection} ${each.shown}`)

describe('NTLM', () => {
  test('signs in once per connection, and further requests need nothing more', async () => {
    await using peer = await server()
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    for (let time = 0; time < 3; time++) expect(await nameOf(account.open())).toBe('CORP\\ada')
    expect(shown(peer)).toEqual(['1 none', '1 type 1', '1 type 3', '1 signed in', '1 signed in'])
    // The first two have no body that would have to be sent again.
    expect(peer.seen.map(({ length }) => length > 0)).toEqual([false, false, true, true, true])
  })

  test('signs in again on the next connection after the server closed one', async () => {
    await using peer = await server()
    await using account = ewsAccount({ url: peer.url, user: 'grace@corp.example', password: 'other' })
    expect(await nameOf(account.open())).toBe('grace@corp.example')
    peer.hangUp()
    expect(await nameOf(account.open())).toBe('grace@corp.example')
    expect(shown(peer).slice(3)).toEqual(['2 type 1', '2 type 3'])
  })

  test('never uses the connection of one account for another', async () => {
    await using peer = await server()
    const shared = new Map<string, object>()
    await using ada = ewsAccount({ url: peer.url, user: 'CORP\\ada', shared })
    await using grace = ewsAccount({ url: peer.url, user: 'grace@corp.example', password: 'other', shared })
    const requested = [ada, grace, ada, grace, ada].map(({ open }) => nameOf(open()))
    const names = ['CORP\\ada', 'grace@corp.example', 'CORP\\ada', 'grace@corp.example', 'CORP\\ada']
    expect(await Promise.all(requested)).toEqual(names)
    const whose = new Map<number, Set<string>>()
    for (const { connection, user } of peer.seen) {
      if (user) whose.set(connection, (whose.get(connection) ?? new Set()).add(user))
    }
    expect([...whose.values()].map(({ size }) => size)).toEqual(Array.from(whose, () => 1))
  })

  test('uses the name Negotiate, and no time and code, if the server requires it', async () => {
    await using peer = await server({ offers: ['Negotiate'], namesTime: false })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    expect(await nameOf(account.open())).toBe('CORP\\ada')
  })

  test('is bound to the TLS connection', async () => {
    const { raw, subjectAltName = '' } = new X509Certificate(certificate)
    const host = /DNS:([\w.-]+)/.exec(subjectAltName)?.[1] ?? ''
    const tls = { key: certificateKey, cert: certificate }
    await using peer = await server({ tls, channelBindings: channelBindings(raw) })
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const url = `https://${host}:${peer.port}`
    await using account = ewsAccount({ url, user: 'CORP\\ada', egress: { resolve, ca: [certificate] } })
    expect(await nameOf(account.open())).toBe('CORP\\ada')
    await using strict = await server({ tls, channelBindings: Buffer.alloc(16, 1) })
    const elsewhere = `https://${host}:${strict.port}`
    await using other = ewsAccount({ url: elsewhere, user: 'CORP\\ada', egress: { resolve, ca: [certificate] } })
    expect((await failureOf(inbox(other.open()))).code).toBe('grant_invalid')
  })

  test('that a proxy breaks is reported as such', async () => {
    await using peer = await startNtlmServer({ users, answer: (_, response) => void response.end(), offers: ['NTLM'] })
    await using account = ewsAccount({ url: peer.url })
    // The proxy responds instead of the server, and has no challenges.
    const connection = account.io.connection
    account.io.connection = (url, options) => {
      const real = connection(url, options)
      return {
        isOpen: true,
        certificate: undefined,
        stream: (request) => real.stream(request),
        request: async (request) => {
          const answer = await real.request(request)
          return { ...answer, headers: { 'www-authenticate': 'NTLM' } }
        },
        [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
      }
    }
    const failure = await failureOf(inbox(account.open()))
    expect(failure.details.providerError).toMatchObject({ reason: 'ntlm_failed' })
  })
})

describe('the simulated Exchange', () => {
  test.each([['NTLM'], ['Negotiate'], ['Basic']] as const)('accepts a sign-in with %s', async (scheme) => {
    await using simulator = await startExchange({ auth: [scheme] })
    simulator.addAccount({ email: 'ada@exchange.example', password: 'Pässwörd' })
    for (const user of ['EXCHANGE\\ada', 'ada@exchange.example']) {
      await using account = ewsAccount({ url: simulator.url, user, password: 'Pässwörd' })
      for (let time = 0; time < 2; time++) expect(await nameOf(account.open())).toBeUndefined()
      await using other = ewsAccount({ url: simulator.url, user, password: 'Passwort' })
      expect((await failureOf(inbox(other.open()))).code).toBe('grant_invalid')
    }
  })
})

describe('connections', () => {
  test('are closed and forgotten after some idle time', async () => {
    await using peer = await server({ offers: ['Basic'] })
    await using egress = privateEgress()
    const forgotten = Promise.withResolvers<void>()
    const connections = new AccountConnections(forgotten.resolve, 20)
    const lines = new Set<Line>()
    const ask = () =>
      connections.use(egress, peer.url, async (line) => {
        lines.add(line)
        await line.connection.request({ url: peer.url, method: 'POST' })
      })
    await ask()
    await ask()
    expect(lines.size).toBe(1)
    await forgotten.promise
    await vi.waitFor(() => expect([...lines].map(({ connection }) => connection.isOpen)).toEqual([false]))
  })
})

describe('signing in', () => {
  test('uses Basic over TLS if the server accepts it, without a round trip', async () => {
    await using peer = await server({ offers: ['Negotiate', 'NTLM', 'Basic'] })
    const shared = new Map<string, object>()
    await using account = ewsAccount({ url: peer.url, user: 'ada', shared })
    expect(await nameOf(account.open())).toBe('ada')
    expect(shown(peer)).toEqual(['1 none', '1 Basic'])
    // A server's offers are requested once for all accounts of the node.
    await using other = ewsAccount({ url: peer.url, user: 'grace@corp.example', password: 'other', shared })
    expect(await nameOf(other.open())).toBe('grace@corp.example')
    expect(shown(peer).slice(2)).toEqual(['2 Basic'])
  })

  test('is tried the other way once if one is refused', async () => {
    await using peer = await server({ offers: ['NTLM', 'Basic'], basicUsers: {} })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    for (let time = 0; time < 2; time++) expect(await nameOf(account.open())).toBe('CORP\\ada')
    expect(shown(peer)).toEqual(['1 none', '1 Basic', '2 type 1', '2 type 3', '2 signed in'])
  })

  test.each([
    ['NTLM', ['1 none', '1 type 1', '1 type 3', '2 type 1', '2 type 3']],
    ['Basic', ['1 none', '1 Basic', '2 Basic']],
    ['both', ['1 none', '1 Basic', '2 type 1', '2 type 3']],
  ])('with a wrong password by %s is tried on only two connections, because each attempt counts', async (by, tried) => {
    await using peer = await server({ offers: by === 'both' ? ['NTLM', 'Basic'] : [by] })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada', password: 'wrong' })
    const failure = await failureOf(inbox(account.open()))
    expect(failure.code).toBe('grant_invalid')
    expect(failure.details.providerError).toMatchObject({ status: 401, reason: 'credentials' })
    expect(shown(peer)).toEqual(tried)
  })

  test('fails if neither is offered', async () => {
    await using peer = await server({ offers: ['Bearer'] })
    await using account = ewsAccount({ url: peer.url })
    const failure = await failureOf(inbox(account.open()))
    expect(failure.code).toBe('provider_refused')
    expect(failure.message).toContain('neither Basic nor NTLM')
    expect(shown(peer)).toEqual(['1 none'])
  })
})

describe('requests', () => {
  test('have cookies, the target mailbox, a request id, and the impersonated user', async () => {
    const requested: { headers: Record<string, unknown>; body: string }[] = []
    await using peer = await server({
      offers: ['Basic'],
      answer: ({ headers, body }, response) => {
        requested.push({ headers, body })
        response.setHeader('set-cookie', [
          `X-BackEndOverrideCookie=srv${requested.length}~1; path=/; secure; HttpOnly`,
          'exchangecookie=a; expires=Fri, 31-Dec-1999 23:59:59 GMT',
        ])
        response.end(folderAnswer())
      },
    })
    await using account = ewsAccount({ url: peer.url, user: 'ada' })
    const session = account.open({ ews_impersonation: true })
    await inbox(session)
    await session.call(
      GetFolder,
      { FolderShape: idAnd(), FolderIds: [distinguished('inbox', 'b@x.example')] },
      { mailbox: 'b@x.example', timeZone: 'W. Europe Standard Time' },
    )
    const [first, second] = requested
    expect(first?.headers.cookie).toBeUndefined()
    expect(second?.headers.cookie).toBe('X-BackEndOverrideCookie=srv1~1')
    expect([first, second].map((each) => each?.headers['x-anchormailbox'])).toEqual([
      'ada@exchange.example',
      'b@x.example',
    ])
    expect(first?.headers['client-request-id']).not.toBe(second?.headers['client-request-id'])
    expect(first?.body).toContain('<t:ConnectingSID><t:PrimarySmtpAddress>ada@exchange.example</t:PrimarySmtpAddress>')
    expect(first?.body).toContain('<t:TimeZoneDefinition Id="UTC"/>')
    expect(second?.body).toContain('<t:TimeZoneDefinition Id="W. Europe Standard Time"/>')
  })

  test('have no cookie of an ended session', async () => {
    const cookies: (string | undefined)[] = []
    await using peer = await server({
      offers: ['Basic'],
      answer: ({ headers }, response) => {
        cookies.push(headers.cookie)
        response.setHeader('set-cookie', 'session=old')
        if (headers.cookie === undefined) response.end(folderAnswer())
        else response.writeHead(440).end()
      },
    })
    await using account = ewsAccount({ url: peer.url, user: 'ada' })
    await inbox(account.open())
    expect((await failureOf(inbox(account.open()))).code).toBe('provider_refused')
    await inbox(account.open())
    expect(cookies).toEqual([undefined, 'session=old', undefined])
  })

  test('of an account run four at a time, on as many connections', async () => {
    const held: ServerResponse[] = []
    await using peer = await server({ offers: ['Basic'], answer: (_, response) => void held.push(response) })
    await using account = ewsAccount({ url: peer.url, user: 'ada' })
    const calls = Array.from({ length: 10 }, () => inbox(account.open()))
    for (let answered = 0; answered < 10; answered++) {
      await vi.waitFor(() => expect(held.length).toBe(Math.min(10, answered + 4)))
      held[answered]?.end(folderAnswer())
    }
    await Promise.all(calls)
    expect(Math.max(...peer.seen.map(({ connection }) => connection))).toBe(4)
  })

  test('end with their caller', async () => {
    await using peer = await server({ offers: ['Basic'], answer: () => {} })
    await using account = ewsAccount({ url: peer.url, user: 'ada' })
    const controller = new AbortController()
    const session = account.open()
    Object.assign(account.io, { signal: controller.signal })
    const failure = failureOf(inbox(session))
    await vi.waitFor(() => expect(peer.seen.length).toBe(2))
    controller.abort(new Error('gone'))
    expect((await failure).message).toBe('gone')
  })
})

describe('a streaming response', () => {
  const GetStreamingEvents = operation({
    name: 'GetStreamingEvents',
    reads: true,
    request: message({ SubscriptionIds: list('SubscriptionId', text) }),
    answer: message({ ConnectionStatus: text }),
  })
  const said = (status: string): string =>
    answerOf('GetStreamingEvents', success('GetStreamingEvents', `<m:ConnectionStatus>${status}</m:ConnectionStatus>`))
  const times = { silenceMs: 20_000, lifetimeMs: 60_000 }

  test('is read envelope by envelope, however it is split, on its own connection', async () => {
    const ready = Promise.withResolvers<ServerResponse>()
    await using peer = await server({ answer: (_, response) => ready.resolve(response) })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    const heard: unknown[] = []
    const reading = (async () => {
      for await (const answer of account.open().stream(GetStreamingEvents, { SubscriptionIds: ['1'] }, times)) {
        heard.push(answer)
      }
    })()
    const response = await ready.promise
    response.write(said('OK ä').slice(0, 100))
    response.write(said('OK ä').slice(100))
    await vi.waitFor(() => expect(heard).toEqual([{ ConnectionStatus: 'OK ä' }]))
    const bytes = Buffer.from(`${said('two ä')}\r\n${said('three')}`)
    for (let at = 0; at < bytes.length; at += 97) response.write(bytes.subarray(at, at + 97))
    response.end(answerOf('GetStreamingEvents', failed('GetStreamingEvents', 'ErrorSubscriptionNotFound')))
    await reading
    expect(heard.slice(1)).toMatchObject([
      { ConnectionStatus: 'two ä' },
      { ConnectionStatus: 'three' },
      { responseCode: 'ErrorSubscriptionNotFound' },
    ])
  })

  test('that is no longer read is closed', async () => {
    const closed = Promise.withResolvers<void>()
    await using peer = await server({
      answer: (_, response) => {
        response.on('close', closed.resolve)
        response.write(said('OK'))
      },
    })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    for await (const _ of account.open().stream(GetStreamingEvents, { SubscriptionIds: ['1'] }, times)) break
    await closed.promise
  })

  test('that ends early, or is not SOAP, is an error', async () => {
    await using peer = await server({
      answer: ({ body }, response) => {
        if (body.includes('>html<')) response.setHeader('content-type', 'text/html').end('<html><p>x</html>')
        else {
          response.write('<s:Env', () => response.destroy())
        }
      },
    })
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada' })
    const first = async (id: string) => {
      for await (const _ of account.open().stream(GetStreamingEvents, { SubscriptionIds: [id] }, times));
    }
    expect((await failureOf(first('html'))).details.providerError).toMatchObject({ reason: 'web_page' })
    expect((await failureOf(first('cut'))).code).toBe('provider_unavailable')
  })

  test('is refused after two attempts if the password is wrong', async () => {
    await using peer = await server()
    await using account = ewsAccount({ url: peer.url, user: 'CORP\\ada', password: 'wrong' })
    const stream = account.open().stream(GetStreamingEvents, { SubscriptionIds: ['1'] }, times)
    const next = stream[Symbol.asyncIterator]().next()
    expect((await failureOf(next)).code).toBe('grant_invalid')
    expect(shown(peer).filter((each) => each.endsWith('type 3'))).toHaveLength(2)
  })
})
