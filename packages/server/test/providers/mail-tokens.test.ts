/** Mailboxes with access tokens: fetched when a connection is opened, and again when a server refuses one. */
import { randomUUID } from 'node:crypto'
import { connect as connectTls } from 'node:tls'
import { ApiError } from '@waypost/platform/api-error'
import { createEgress } from '@waypost/platform/egress/egress'
import { type Account, type Auth, withLogin } from '@waypost/providers/mail/server-account'
import type { OAuth } from '@waypost/providers/oauth'
import { providers } from '@waypost/providers/registry'
import { openSmtp } from '@waypost/providers/smtp/connection'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountsOf } from '../../../providers/src/imap/account.ts'
import { openSession, type Session } from '../../../providers/src/imap/session.ts'
import { Dialogue } from '../../../providers/src/smtp/dialogue.ts'
import { tokenLogin } from '../../../providers/src/smtp/token-login.ts'
import { imapSettings } from '../conformance/imap-subject.ts'
import { openService, type TestService } from '../harness.ts'

const never = new AbortController().signal
let server: MailServer
beforeAll(async () => {
  server = await sharedDovecot({ oauth: true })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('a grant whose provider issues tokens', () => {
  let service: TestService
  let owner: { id: string; key: string }
  /** The next tokens of the provider's token endpoint, by user; the last one was issued last. */
  const given = new Map<string, string[]>()
  let next: (user: string) => string
  const refresh: OAuth['refresh'] = async (_client, credentials) => {
    const user = String(credentials.user)
    const accessToken = next(user)
    given.set(user, [...(given.get(user) ?? []), accessToken])
    return { accessToken, expiresAt: Date.now() + 3_600_000 }
  }

  beforeAll(async () => {
    // One operation table for all its grants, whatever they support besides mail.
    const { adapterFor: _, variants: __, ...imap } = providers.imap
    // Like a provider that signs users in on its own page and serves their mail by IMAP and SMTP.
    const byTokens = {
      ...imap,
      oauth: { refresh } as OAuth,
      authenticate: async (...requested: Parameters<typeof imap.authenticate>) => {
        const identity = await imap.authenticate(...requested)
        return { ...identity, credentials: { user: identity.settings.imap_username } }
      },
      open: (...[grant, io]: Parameters<typeof imap.open>): Session =>
        openSession(grant, io, async () => {
          const withTokens = (account: Account): Account => {
            const accessToken = (signal: AbortSignal, refused?: string) => io.accessToken(refused, signal)
            return { ...account, auth: { user: account.auth.user, accessToken } }
          }
          const { imap: reading, smtp } = accountsOf(grant.settings, {})
          return { imap: withTokens(reading), smtp: smtp && withTokens(smtp) }
        }),
    }
    service = await openService({ overrides: { providers: { ...providers, imap: byTokens } } })
    owner = await service.createApplication('Tokens')
    await service.call('POST', '/v3/connectors', { key: owner.key, body: { provider: 'imap' } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function newGrant() {
    next = (user) => server.issueToken(user)
    const mailbox = await server.addUser()
    const body = { provider: 'imap', settings: { ...imapSettings(server, mailbox), watch: false } }
    const made = await service.call('POST', '/v3/connect/custom', { key: owner.key, body })
    expect(made.status).toBe(201)
    const path = `/v3/grants/${made.body.data.id}`
    return {
      user: mailbox.user,
      tokens: () => given.get(mailbox.user) ?? [],
      list: () => service.call('GET', `${path}/messages`, { key: owner.key }),
      send: () =>
        service.call('POST', `${path}/messages/send`, {
          key: owner.key,
          body: { to: [{ email: 'bob@example.com' }], subject: `By token ${mailbox.user}`, body: 'Hello' },
        }),
      status: async () => (await service.call('GET', path, { key: owner.key })).body.data.grant_status,
      /** Expires the current token and closes all connections. */
      async expire() {
        const [last] = (given.get(mailbox.user) ?? []).slice(-1)
        if (last !== undefined) server.revokeToken(last)
        await server.kick(mailbox.user)
      },
    }
  }

  const relayed = (user: string) => server.relayed.filter(({ source }) => source.includes(`By token ${user}`))

  test('reads and sends with the same token while it is valid', async () => {
    const grant = await newGrant()
    expect((await grant.list()).status).toBe(200)
    expect((await grant.send()).status).toBe(200)
    await server.kick(grant.user)
    expect((await grant.list()).status).toBe(200)
    expect(grant.tokens()).toHaveLength(1)
    expect(relayed(grant.user)).toHaveLength(1)
  })

  test('reads with the next token when one expires between connections', async () => {
    const grant = await newGrant()
    for (const count of [1, 2, 3]) {
      expect((await grant.list()).status).toBe(200)
      expect(grant.tokens()).toHaveLength(count)
      await grant.expire()
    }
    expect(await grant.status()).toBe('valid')
  })

  test('sends once, with the next token, when one expires before', async () => {
    const grant = await newGrant()
    expect((await grant.list()).status).toBe(200)
    await grant.expire()
    expect((await grant.send()).status).toBe(200)
    expect(grant.tokens()).toHaveLength(2)
    expect(relayed(grant.user)).toHaveLength(1)
    expect(await grant.status()).toBe('valid')
  })

  test('becomes invalid when the server refuses the next token too, which is requested once', async () => {
    const grant = await newGrant()
    expect((await grant.list()).status).toBe(200)
    await grant.expire()
    next = () => `unknown-${randomUUID()}`
    const refused = await grant.list()
    expect(refused.status).toBe(401)
    expect(refused.body.error.type).toBe('grant.invalid_authentication')
    expect(grant.tokens()).toHaveLength(2)
    expect(await grant.status()).toBe('invalid')
  })

  test('becomes invalid when the provider issues no other', async () => {
    const grant = await newGrant()
    expect((await grant.list()).status).toBe(200)
    await grant.expire()
    next = () => {
      throw new ApiError('grant_invalid')
    }
    expect((await grant.send()).status).toBe(401)
    expect(relayed(grant.user)).toHaveLength(0)
    expect(await grant.status()).toBe('invalid')
  })
})

describe('an SMTP login', () => {
  const egress = createEgress({ mode: 'private' })
  afterAll(() => egress[Symbol.asyncDispose]())
  const ways = { connect: egress.connect, secure: egress.secure }

  /** Issues tokens in turn, and records the reported ones. */
  function tokensOf(...tokens: string[]): { auth: Auth; requested: (string | undefined)[] } {
    const requested: (string | undefined)[] = []
    const accessToken = async (_: AbortSignal, refused?: string): Promise<string> => {
      requested.push(refused)
      return tokens[Math.min(requested.length, tokens.length) - 1] ?? ''
    }
    return { auth: { user: 'ann@example.com', accessToken }, requested }
  }

  /** A server that offers passwords before tokens. */
  const startServer = (refusal = 535) =>
    startSmtpSink({
      disabledCommands: ['STARTTLS'],
      authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
      authOptional: false,
      onAuth({ method, accessToken, username }, _session, done) {
        if (method === 'XOAUTH2' && accessToken === 'good') return done(null, { user: username })
        done(Object.assign(new Error('refused'), { responseCode: refusal }))
      },
    })

  async function logIn(port: number, auth: Auth): Promise<unknown> {
    const line = await openSmtp({ host: '127.0.0.1', port, security: 'none', auth }, ways, never).catch(
      (error: unknown) => error,
    )
    if (line instanceof Error) return line
    const { dialogue } = line as Awaited<ReturnType<typeof openSmtp>>
    const [reply] = await dialogue.ask(['MAIL FROM:<ann@example.com>'], 5_000)
    dialogue.end('done')
    return reply?.code
  }

  test('uses a token even if the server lists passwords first, and once more with the next token', async () => {
    await using sink = await startServer()
    const { auth, requested } = tokensOf('old', 'good')
    expect(await logIn(sink.port, auth)).toBe(250)
    expect(requested).toEqual([undefined, 'old'])
  })

  test('is refused if the next token is the same, or is refused too', async () => {
    await using sink = await startServer()
    const same = tokensOf('old')
    expect(await logIn(sink.port, same.auth)).toMatchObject({ failure: 'credentials' })
    expect(same.requested).toEqual([undefined, 'old'])
    expect(sink.connections).toBe(1)
    const other = tokensOf('old', 'bad', 'good')
    expect(await logIn(sink.port, other.auth)).toMatchObject({ failure: 'credentials' })
    expect(other.requested).toEqual([undefined, 'old'])
  })

  test('requests no other token if the server temporarily cannot log anybody in', async () => {
    await using sink = await startServer(454)
    const { auth, requested } = tokensOf('old', 'good')
    expect(await logIn(sink.port, auth)).toMatchObject({ failure: 'connect' })
    expect(requested).toEqual([undefined])
  })

  test('reports a server that accepts no tokens', async () => {
    await using sink = await startSmtpSink({ disabledCommands: ['STARTTLS'], authMethods: ['PLAIN'] })
    const { auth, requested } = tokensOf('good')
    expect(await logIn(sink.port, auth)).toMatchObject({ failure: 'method' })
    expect(requested).toEqual([undefined])
  })

  test.each(['XOAUTH2', 'OAUTHBEARER'])('at a real server uses %s', async (mechanism) => {
    const { user } = await server.addUser()
    const attempt = async (accessToken: string): Promise<unknown> => {
      const port = server.smtpsPort ?? 0
      const socket = connectTls({ host: server.host, port, rejectUnauthorized: false })
      const dialogue = new Dialogue(socket)
      await dialogue.reply(10_000)
      await dialogue.ask(['EHLO localhost'], 10_000)
      const bearer = { user, accessToken, host: server.host, port }
      const failure = await tokenLogin(dialogue, [mechanism], bearer).catch((error: unknown) => error)
      dialogue.end('done')
      return failure
    }
    expect(await attempt(server.issueToken(user))).toBeUndefined()
    expect(await attempt('unknown')).toMatchObject({ failure: 'credentials' })
  })
})

test('a password is sent once, and nothing is requested if it is refused', async () => {
  const shown: unknown[] = []
  const failure = new Error('refused')
  const open = async (login: unknown): Promise<never> => {
    shown.push(login)
    throw failure
  }
  await expect(withLogin({ user: 'ann', password: 'secret' }, never, open)).rejects.toBe(failure)
  expect(shown).toEqual([{ user: 'ann', password: 'secret' }])
})
