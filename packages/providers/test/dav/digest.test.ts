/** Servers that require a digest of the password instead of the password. */
import { createHash } from 'node:crypto'
import { type Listener, openListener } from '@waypost/testing/listener'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openClient } from '../../src/dav/client.ts'
import { digestAuthorization, digestChallenge } from '../../src/dav/digest.ts'
import { openTransport } from '../../src/dav/transport.ts'
import { type DavAccount, davAccount } from './dav-account.ts'

/** RFC 7616 §3.9.1. */
const example = {
  header: [
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  ],
  login: { user: 'Mufasa', password: 'Circle of Life' },
  request: {
    method: 'GET',
    uri: '/dir/index.html',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  },
}

describe('a challenge', () => {
  test.each([
    [0, '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    [1, '8ca523f5e9506fed4657c9700eebdbec'],
  ])('of the RFC is answered as the RFC says (%i)', (at, response) => {
    const challenge = digestChallenge(example.header[at])
    expect(challenge).toBeDefined()
    const answer = challenge && digestAuthorization(challenge, example.login, example.request)
    expect(answer).toContain(`response="${response}"`)
    expect(answer).toContain('nc=00000001')
    expect(answer).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
  })

  test('is the strongest of several, whatever other parameters it has', () => {
    const several = `Basic realm="a, b", ${example.header[1]}, ${example.header[0]}, Negotiate`
    expect(digestChallenge(several)).toMatchObject({ algorithm: 'SHA-256', realm: 'http-auth@example.org' })
  })

  test.each([
    undefined,
    '',
    'Basic realm="Digest nonce=x"',
    'Digest realm="x"',
    'Digest nonce="n", algorithm=SHA-512',
    'Digest nonce="n", qop="auth-int"',
  ])('is not supported: %s', (header) => expect(digestChallenge(header)).toBeUndefined())
})

describe('a server that requires digests', () => {
  let server: Listener
  let account: DavAccount
  let nonce: string
  let isStale: boolean
  beforeAll(async () => {
    server = await openListener()
    account = davAccount()
  })
  afterAll(async () => {
    await account[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.heard.length = 0
    nonce = 'first'
    isStale = false
    server.answer = (response, heard) => {
      const [, uri, shown, nc, cnonce] =
        /uri="([^"]*)", response="(\w+)", .*nc=(\w+), cnonce="(\w+)"/.exec(heard.headers.authorization ?? '') ?? []
      const md5 = (text: string) => createHash('md5').update(text).digest('hex')
      const right = md5(
        `${md5('alice:dav:secret')}:${nonce}:${nc}:${cnonce}:auth:${md5(`${heard.method}:${heard.target}`)}`,
      )
      if (uri === heard.target && shown === right) {
        response.writeHead(207).end('<D:multistatus xmlns:D="DAV:"/>')
        return
      }
      const stale = isStale ? ', stale=true' : ''
      response.writeHead(401, { 'www-authenticate': `Digest realm="dav", qop="auth", nonce="${nonce}"${stale}` }).end()
    }
  })
  const poll = (password = 'secret') => {
    const transport = openTransport({
      io: account.io,
      auth: { user: 'alice', password },
      hosts: { urls: [server.url] },
    })
    const client = openClient(transport, 'calendar')
    return () => client.propfind(`${server.url}/cal/?a=b`, { depth: 1, props: ['D:getetag'] })
  }

  test('gets one for each request, with the previous nonce, or with a new one if that is stale', async () => {
    const again = poll()
    expect((await again()).responses).toEqual([])
    expect(server.heard).toHaveLength(2)
    await again()
    expect(server.heard).toHaveLength(3)
    expect(server.heard.at(-1)?.headers.authorization).toContain('nc=00000002')
    nonce = 'second'
    isStale = true
    await again()
    expect(server.heard).toHaveLength(5)
  })

  test('that refuses the password gets no third request', async () => {
    await expect(poll('wrong')()).rejects.toMatchObject({ code: 'grant_invalid' })
    expect(server.heard).toHaveLength(2)
  })
})
