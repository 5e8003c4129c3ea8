/** Every typical mistake in setting up a provider is answered with the field and the remedy. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imapSettings } from '../conformance/imap-subject.ts'
import { openService, type TestService } from '../harness.ts'
import { createGoogleGrant, everyScope, openGoogle } from '../peers/google.ts'
import { connectorMistakes, customMistakes, type Mistake } from './mistakes.ts'
import { authMistakes, grantMistakes, tokenMistakes } from './token-mistakes.ts'

const held = new AsyncDisposableStack()
let service: TestService
let key: string
const values = new Map<string, string>()

beforeAll(async () => {
  const google = held.use(await openGoogle())
  const mail = held.use(await sharedDovecot())
  const egress = createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] })
  const env = { WAYPOST_GOOGLE_URL: google.simulator.url, WAYPOST_EGRESS: 'private' }
  service = held.use(await openService({ env, overrides: { egress } }))
  const application = await service.createApplication('Mistakes')
  key = application.key
  const other = await service.createApplication('Another')
  const make = (path: string, body: object) => service.call('POST', path, { key, body })
  await make('/v3/applications/redirect-uris', { url: 'https://app.test/back', platform: 'web' })
  for (const provider of ['imap', 'virtual-calendar']) await make('/v3/connectors', { provider })
  await make('/v3/connectors', { provider: 'microsoft', settings: { client_id: 'id', client_secret: 'secret' } })
  const mailbox = await mail.addUser()
  const settings = imapSettings(mail, mailbox)
  const grant = await make('/v3/connect/custom', { provider: 'imap', settings })
  const virtual = await make('/v3/connect/custom', { provider: 'virtual-calendar', settings: { email: 'room' } })
  google.simulator.addAccount({ email: 'ada@gmail.example', name: 'Ada' })
  const { id } = await createGoogleGrant(service, google.simulator, { email: 'ada@gmail.example', key })
  const page = await startPage()
  const { refreshToken } = google.simulator.grantToken('ada@gmail.example', [...everyScope])
  for (const [name, value] of Object.entries({
    ...{ application: application.id, key, otherKey: other.key, token: refreshToken },
    ...{ mail: grant.body.data.id, virtual: virtual.body.data.id, google: id },
    ...{ user: mailbox.user, password: mailbox.password, host: mail.host, port: String(mail.imapsPort) },
    ...{ page: `${page}/index.html`, missing: `${page}/missing` },
  })) {
    values.set(name, value)
  }
})
afterAll(() => held.disposeAsync())

/** A web server that speaks no DAV: it has one page. */
async function startPage(): Promise<string> {
  const server = createServer((request, response) => {
    const isPage = request.url === '/index.html'
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Welcome</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  held.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fill = (text: string): string =>
  text.replaceAll(/\{([a-zA-Z]+)\}/g, (whole, name: string) => values.get(name) ?? whole)

async function answerTo({ call, body, isPublic }: Mistake) {
  const [method = '', path = ''] = fill(call).split(' ')
  const sent = body === undefined ? {} : { body: fill(JSON.stringify(body)) }
  const answer = await service.call(method, path, { key: isPublic ? null : key, ...sent })
  const said = answer.headers.get('location') ?? ''
  return {
    status: answer.status,
    text: `${JSON.stringify(answer.body)} ${decodeURIComponent(said.replaceAll('+', ' '))}`,
  }
}

test.each([...connectorMistakes, ...customMistakes, ...tokenMistakes, ...authMistakes, ...grantMistakes])(
  '$name is answered with the field and the remedy',
  async (mistake) => {
    const { status, text } = await answerTo(mistake)
    expect(status, text).toBe(mistake.status)
    for (const words of mistake.says) expect(text).toMatch(words)
  },
)

test('no answer repeats a secret', async () => {
  const all = [...connectorMistakes, ...customMistakes, ...tokenMistakes, ...authMistakes, ...grantMistakes]
  const texts = await Promise.all(all.map(async (mistake) => (await answerTo(mistake)).text))
  for (const secret of ['key', 'otherKey', 'password', 'token'].map((name) => values.get(name) ?? '')) {
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
  }
})
