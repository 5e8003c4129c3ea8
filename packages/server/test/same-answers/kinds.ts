/** One account of each kind, all in one application of one service, so that the same requests can be sent to each. */
import { createEgress } from '@waypost/platform/egress/egress'
import { testCertificate } from '@waypost/testing/peers/certificates'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startICloud } from '@waypost/testing/peers/icloud'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import type { Fields } from '../conformance/accounts.ts'
import { type Call, expectStatus } from '../conformance/accounts.ts'
import { imapSettings } from '../conformance/imap-subject.ts'
import { openService, type TestService } from '../harness.ts'
import { createExchangeGrant, exchangePassword, openExchange } from '../peers/exchange.ts'
import { createGoogleGrant, openGoogle } from '../peers/google.ts'
import { createMicrosoftGrant, openMicrosoft } from '../peers/microsoft.ts'
import { createYahooGrant, openYahoo, yahooEnv, yahooFolders } from '../peers/yahoo.ts'
import type { KindName } from './difference.ts'

export type Place = 'inbox' | 'sent' | 'drafts'

export interface Arrival {
  place: Place
  source: string
  date: number
  seen: boolean
  starred: boolean
}

export interface KindAccount {
  name: KindName
  grantId: string
  email: string
  /** Puts a message into the mailbox; absent where the account has none. */
  deliver?(arrival: Arrival): Promise<void>
}

export interface OpenKinds extends AsyncDisposable {
  call: Call
  accounts: KindAccount[]
}

/** Starts every server at once and connects one account of each kind. */
export async function openKinds(): Promise<OpenKinds> {
  await using resources = new AsyncDisposableStack()
  const [google, microsoft, exchange, dovecot, radicale, icloud, yahoo, smtp] = await Promise.all([
    openGoogle(),
    openMicrosoft(),
    openExchange(),
    sharedDovecot(),
    sharedRadicale(),
    startICloud(),
    openYahoo(),
    testCertificate().then(({ key, cert }) => startSmtpSink({ key, cert, disabledCommands: ['AUTH'] })),
  ])
  for (const peer of [google, microsoft, exchange, dovecot, radicale, icloud, yahoo, smtp]) resources.use(peer)
  const egress = createEgress({ mode: 'private', trustLoopback: true, ca: [dovecot.ca, icloud.ca, yahoo.mail.ca] })
  const env = {
    ...yahooEnv(yahoo.simulator, yahoo.mail),
    WAYPOST_GOOGLE_URL: google.simulator.url,
    WAYPOST_MICROSOFT_URL: microsoft.simulator.url,
    WAYPOST_EWS_URL: exchange.simulator.url,
    WAYPOST_ICLOUD_IMAP_URL: `imaps://${icloud.host}:${icloud.imapsPort}`,
    WAYPOST_ICLOUD_SMTP_URL: `smtp://localhost:${smtp.port}`,
    WAYPOST_ICLOUD_CALDAV_URL: icloud.davUrl,
    WAYPOST_ICLOUD_CARDDAV_URL: icloud.davUrl,
  }
  const service = resources.use(await openService({ env, overrides: { egress } }))
  const { key } = await service.createApplication('Same answers')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } }), 200)
  for (const provider of ['imap', 'icloud', 'virtual-calendar']) {
    expectStatus(await call('POST', '/v3/connectors', { body: { provider } }), 201)
  }
  const accounts = await Promise.all([
    googleAccount(service, key, google.simulator),
    microsoftAccount(service, key, microsoft.simulator),
    exchangeAccount(service, key, exchange.simulator),
    imapAccount(call, dovecot),
    imapDavAccount(call, dovecot, radicale),
    icloudAccount(call, icloud),
    yahooAccount(service, key, yahoo),
    virtualAccount(call),
  ])
  const held = resources.move()
  return { call, accounts, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

type Simulator<Open extends () => Promise<{ simulator: unknown }>> = Awaited<ReturnType<Open>>['simulator']

async function googleAccount(
  service: TestService,
  key: string,
  simulator: Simulator<typeof openGoogle>,
): Promise<KindAccount> {
  const email = 'ada@gmail.example'
  const { mail } = simulator.addAccount({ email, name: 'Ada', timezone: 'UTC' })
  const { id: grantId } = await createGoogleGrant(service, simulator, { email, key })
  const labels = { inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT' }
  return {
    ...{ name: 'google', grantId, email },
    async deliver({ source, place, date, seen, starred }) {
      const marks = [...(seen ? [] : ['UNREAD']), ...(starred ? ['STARRED'] : [])]
      mail.deliver(source, { labels: [labels[place], ...marks], at: date * 1000 })
    },
  }
}

const exchangeFolders = { inbox: 'inbox', sent: 'sentitems', drafts: 'drafts' }

async function microsoftAccount(
  service: TestService,
  key: string,
  simulator: Simulator<typeof openMicrosoft>,
): Promise<KindAccount> {
  const email = 'ada@contoso.example'
  const { mail } = simulator.addAccount({ email, name: 'Ada' })
  const { id: grantId } = await createMicrosoftGrant(service, simulator, { email, key })
  return {
    ...{ name: 'microsoft', grantId, email },
    async deliver({ source, place, date, seen, starred }) {
      const { id } = mail.deliver(Buffer.from(source), {
        ...{ folder: exchangeFolders[place], at: date * 1000, isRead: seen, isDraft: place === 'drafts' },
      })
      if (starred) mail.mark(id, { flag: { flagStatus: 'flagged' } })
    },
  }
}

async function exchangeAccount(
  service: TestService,
  key: string,
  simulator: Simulator<typeof openExchange>,
): Promise<KindAccount> {
  const email = 'ada@exchange.example'
  const { mail } = simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
  const { id: grantId } = await createExchangeGrant(service, { email, key })
  return {
    ...{ name: 'ews', grantId, email },
    async deliver({ source, place, date, seen, starred }) {
      const at = { folder: exchangeFolders[place], at: date * 1000, isDraft: place === 'drafts' }
      mail.deliver(Buffer.from(source), { ...at, isRead: seen, isFlagged: starred })
    },
  }
}

async function connect(call: Call, provider: string, settings: Fields): Promise<string> {
  return expectStatus(await call('POST', '/v3/connect/custom', { body: { provider, settings } }), 201).body.data.id
}

const delivery =
  (server: MailServer, user: string, folders: Record<Place, string>) =>
  ({ source, place, date, seen, starred }: Arrival): Promise<void> =>
    server.deliver(user, source, {
      folder: folders[place],
      date: new Date(date * 1000),
      flags: [
        ...(seen ? ['\\Seen'] : []),
        ...(starred ? ['\\Flagged'] : []),
        ...(place === 'drafts' ? ['\\Draft'] : []),
      ],
    })

const usualFolders = { inbox: 'INBOX', sent: 'Sent', drafts: 'Drafts' }

async function imapAccount(call: Call, server: MailServer): Promise<KindAccount> {
  const mailbox = await server.addUser()
  const grantId = await connect(call, 'imap', imapSettings(server, mailbox))
  return { name: 'imap', grantId, email: mailbox.user, deliver: delivery(server, mailbox.user, usualFolders) }
}

async function imapDavAccount(
  call: Call,
  server: MailServer,
  dav: Awaited<ReturnType<typeof sharedRadicale>>,
): Promise<KindAccount> {
  const mailbox = await server.addUser()
  await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
  const addresses = { caldav_url: dav.davUrl, carddav_url: dav.davUrl }
  const grantId = await connect(call, 'imap', { ...imapSettings(server, mailbox), ...addresses })
  return { name: 'imap + DAV', grantId, email: mailbox.user, deliver: delivery(server, mailbox.user, usualFolders) }
}

async function icloudAccount(call: Call, icloud: Awaited<ReturnType<typeof startICloud>>): Promise<KindAccount> {
  const { user, password } = await icloud.addDavUser()
  const grantId = await connect(call, 'icloud', { username: user, password })
  return { name: 'icloud', grantId, email: user, deliver: delivery(icloud, user, usualFolders) }
}

async function yahooAccount(
  service: TestService,
  key: string,
  { simulator, mail, newUser }: Awaited<ReturnType<typeof openYahoo>>,
): Promise<KindAccount> {
  const { email } = await newUser('Ada')
  const { id: grantId } = await createYahooGrant(service, simulator, { email, key })
  const folders = { ...usualFolders, drafts: yahooFolders.drafts }
  return { name: 'yahoo', grantId, email, deliver: delivery(mail, email, folders) }
}

async function virtualAccount(call: Call): Promise<KindAccount> {
  const email = 'ada@virtual.example'
  return { name: 'virtual-calendar', grantId: await connect(call, 'virtual-calendar', { email }), email }
}
