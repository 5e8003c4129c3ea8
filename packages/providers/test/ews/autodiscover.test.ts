/**
 * Searching for the server of an Exchange mailbox over real TLS: which hosts get a request, and which get the
 * password.
 */
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@waypost/platform/clock'
import { createEgress, type Egress, type EgressRequest } from '@waypost/platform/egress/egress'
import { createLog } from '@waypost/platform/log'
import { makeCertificate } from '@waypost/testing/peers/certificates'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { discover } from '../../src/ews/autodiscover/discover.ts'
import { beginSearch, type Ended } from '../../src/ews/autodiscover/plan.ts'
import { type Io, ioFor } from '../../src/io.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** All requests, as `METHOD https://host/path`, with a mark if they had credentials. */
let seen: string[] = []
let answers: Record<string, Answer> = {}
let servers: { trusted: number; untrusted: number; plain: number }
let egress: Egress
const ended: (() => Promise<void>)[] = []

async function listen(server: http.Server | https.Server, scheme: string): Promise<number> {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const shown = request.headers.authorization === undefined ? '' : ' with the password'
    seen.push(`${request.method} ${scheme}://${host}${request.url}${shown}`)
    request.resume()
    const answer = answers[`${scheme}://${host}`]
    if (answer) answer(request, response)
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not here</body></html>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ended.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const good = await makeCertificate('DNS:people.test,DNS:*.people.test,DNS:*.hoster.test,DNS:*.mallory.test')
  const bad = await makeCertificate('DNS:*.people.test')
  servers = {
    trusted: await listen(https.createServer(good), 'https'),
    untrusted: await listen(https.createServer(bad), 'https'),
    plain: await listen(http.createServer(), 'http'),
  }
  egress = createEgress({
    mode: 'private',
    ca: [good.ca],
    resolve: async (host) => {
      if (host.endsWith('.gone.people.test')) throw new Error('no such name')
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  ended.push(async () => egress[Symbol.asyncDispose]())
})
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})
beforeEach(() => {
  seen = []
  answers = {}
})

/** Hosts with an untrusted certificate. */
let untrusted: string[] = []
beforeEach(() => {
  untrusted = []
})

/** Servers cannot listen on 443 and 80 here. */
function atPort(request: EgressRequest): EgressRequest {
  const url = new URL(request.url)
  if (url.port !== '') return request
  const secure = untrusted.includes(url.hostname) ? servers.untrusted : servers.trusted
  url.port = String(url.protocol === 'https:' ? secure : servers.plain)
  return { ...request, url }
}

const ioOf = (way: Egress): Io => {
  const tools = {
    egress: way,
    clock: systemClock,
    log: createLog('silent'),
    providerUrls: {},
    shared: new Map(),
  }
  return { ...ioFor(tools, 'ews', AbortSignal.timeout(60_000)), request: (request) => way.request(atPort(request)) }
}

interface Wish {
  way?: Egress
  record?: { host: string; port: number }
  stepMs?: number
  searchMs?: number
}

async function poll({ way = egress, record, ...limits }: Wish = {}): Promise<Ended> {
  const search = beginSearch('ada@people.test')
  if (!search) throw new Error('no domain')
  const io = ioOf(way)
  const authorization = `Basic ${Buffer.from('ada@people.test:s3cret').toString('base64')}`
  return discover(search, {
    io,
    async post(url, request) {
      const { status, headers, body } = await io.request({
        ...request,
        url,
        method: 'POST',
        headers: { authorization },
      })
      const header = (name: string) => [headers[name]].flat()[0]
      return { status, header, headerList: () => [], body }
    },
    findService: async () => record,
    ...limits,
  })
}

const html: Answer = (_, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
const redirect =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
const settingsOf = (ewsUrl: string): string =>
  `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006"><Response xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a"><User><DisplayName>Ada</DisplayName></User><Account><Action>settings</Action><Protocol><Type>EXPR</Type><EwsUrl>${ewsUrl}</EwsUrl></Protocol></Account></Response></Autodiscover>`
/** An Autodiscover service that requires the right password. */
const service =
  (ewsUrl = 'https://mail.people.test/EWS/Exchange.asmx', password = 's3cret'): Answer =>
  ({ headers }, response) => {
    const expected = `Basic ${Buffer.from(`ada@people.test:${password}`).toString('base64')}`
    if (headers.authorization !== expected) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    else response.writeHead(200, { 'content-type': 'text/xml' }).end(settingsOf(ewsUrl))
  }

const path = '/autodiscover/autodiscover.xml'
const shown = (): string[] => seen.filter((line) => line.endsWith('with the password'))

describe('the password', () => {
  test('is sent to a server of the domain that requires it, and to none before', async () => {
    answers = { 'https://people.test': html, 'https://autodiscover.people.test': service() }
    expect(await poll()).toMatchObject({ kind: 'found', ewsUrls: ['https://mail.people.test/EWS/Exchange.asmx'] })
    expect(seen).toEqual([
      `POST https://people.test${path}`,
      `POST https://autodiscover.people.test${path}`,
      `POST https://autodiscover.people.test${path} with the password`,
    ])
  })

  test('is sent once if it is wrong, and the search ends', async () => {
    answers = { 'https://people.test': service('x', 'another'), 'https://autodiscover.people.test': service() }
    expect(await poll()).toMatchObject({ kind: 'denied', refusal: { code: 'grant_invalid' } })
    expect(shown()).toHaveLength(1)
    expect(seen).toHaveLength(2)
  })

  test('is not sent if a redirect without TLS leaves the domain', async () => {
    answers = {
      'http://autodiscover.people.test': redirect(`https://autodiscover.mallory.test${path}`),
      'https://autodiscover.mallory.test': service(),
    }
    expect(await poll()).toMatchObject({ kind: 'lost', noted: { foreign: 'autodiscover.mallory.test' } })
    expect(seen.some((line) => line.includes('mallory'))).toBe(false)
    expect(seen).toContain(`GET http://autodiscover.people.test${path}`)
    expect(shown()).toEqual([])
  })

  test('is sent if such a redirect stays within the domain, only to the service', async () => {
    answers = {
      'http://autodiscover.people.test': redirect('https://mail.people.test/~mallory/collect.php'),
      'https://mail.people.test': service(),
    }
    expect(await poll()).toMatchObject({ kind: 'found' })
    expect(shown()).toEqual([`POST https://mail.people.test${path} with the password`])
  })

  test('is not sent if a record leaves the domain, and is sent within it', async () => {
    answers = { 'https://mail.mallory.test': service(), 'https://mail.people.test': service() }
    const foreign = await poll({ record: { host: 'mail.mallory.test', port: servers.trusted } })
    expect(foreign).toMatchObject({ kind: 'lost', noted: { foreign: 'mail.mallory.test' } })
    expect(shown()).toEqual([])
    expect(await poll({ record: { host: 'mail.people.test', port: servers.trusted } })).toMatchObject({ kind: 'found' })
  })

  test('is sent to another host that a server of the domain names over TLS', async () => {
    answers = {
      'https://autodiscover.people.test': redirect(`https://ex.hoster.test${path}`),
      'https://ex.hoster.test': service('https://ex.hoster.test/EWS/Exchange.asmx'),
    }
    expect(await poll()).toMatchObject({ ewsUrls: ['https://ex.hoster.test/EWS/Exchange.asmx'] })
    expect(shown()).toEqual([`POST https://ex.hoster.test${path} with the password`])
  })

  test('is not sent to a host with an invalid certificate, which gets no request at all', async () => {
    untrusted = ['people.test', 'autodiscover.people.test', 'mail.people.test']
    answers = {
      'https://autodiscover.people.test': service(),
      'https://mail.people.test': service(),
      'http://autodiscover.people.test': redirect(`https://mail.people.test${path}`),
    }
    expect(await poll()).toMatchObject({ kind: 'lost', noted: { certificate: 'people.test' } })
    expect(seen).toEqual([`GET http://autodiscover.people.test${path}`])
  })
})

describe('a search', () => {
  test('continues with the next server if one never responds, and ends at its own deadline', async () => {
    const never: Answer = () => {}
    answers = { 'https://people.test': never, 'https://autodiscover.people.test': service() }
    expect(await poll({ stepMs: 2_000 })).toMatchObject({ kind: 'found' })
    answers = { 'https://people.test': never, 'https://autodiscover.people.test': never }
    expect(await poll({ searchMs: 300 })).toMatchObject({ kind: 'lost' })
  })

  test('ends if a response never ends or is too large', async () => {
    const large: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' })
      const piece = '<a>'.repeat(20_000)
      const write = (): void => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    answers = { 'https://people.test': large, 'https://autodiscover.people.test': service() }
    expect(await poll()).toMatchObject({ kind: 'found' })
  })

  test('ends if servers lead in a circle', async () => {
    answers = {
      'https://people.test': redirect(`https://autodiscover.people.test${path}`),
      'https://autodiscover.people.test': redirect(`https://people.test${path}`),
    }
    expect(await poll()).toMatchObject({ kind: 'lost' })
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(2)
  })

  test('sends no request to hosts in the internal network', async () => {
    await using outside = createEgress({ mode: 'public', resolve: async () => [{ address: '10.1.2.3', family: 4 }] })
    expect(await poll({ way: outside })).toMatchObject({ kind: 'lost' })
    expect(seen).toEqual([])
  })
})
