/** A simulated Yahoo, with a dovecot as its mail servers that checks tokens with it. */

import { createEgress } from '@waypost/platform/egress/egress'
import { type DovecotOptions, sharedDovecot, startDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { startYahoo, type YahooOptions, type YahooSimulator } from '../../../simulators/src/index.ts'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'

/** The scopes that tests request. */
export const everyScope = ['openid', 'email', 'profile', 'mail-w']

export interface YahooPeer extends AsyncDisposable {
  simulator: YahooSimulator
  mail: MailServer
  /** A user of both servers: an account with a mailbox. */
  newUser(name?: string): Promise<{ email: string; password: string }>
}

/** The capabilities after the login according to Yahoo's documentation: no MOVE, no SPECIAL-USE, no NOTIFY. */
const capability =
  'IMAP4rev1 SASL-IR LITERAL+ ID ENABLE IDLE CHILDREN NAMESPACE UNSELECT UIDPLUS CONDSTORE QRESYNC LIST-STATUS'

export async function openYahoo(options: YahooOptions & { dovecot?: DovecotOptions } = {}): Promise<YahooPeer> {
  const { dovecot, ...rest } = options
  const simulator = await startYahoo(rest)
  const introspection = { url: `${simulator.url}/oauth2/introspect`, client: simulator.mailServers }
  const mail = await startYahooMail({ oauth: introspection, ...dovecot })
  return {
    simulator,
    mail,
    async newUser(name) {
      const { user: email, password } = await mail.addUser()
      simulator.addAccount({ email, ...(name === undefined ? {} : { name }) })
      return { email, password }
    },
    async [Symbol.asyncDispose]() {
      await mail[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

export const yahooFolders = { drafts: 'Draft', junk: 'Bulk' }

/** A dovecot with the capabilities and folders of Yahoo's servers. */
export const startYahooMail = (options: DovecotOptions = {}): Promise<MailServer> =>
  // A simulator knows only the tokens of its own dovecot.
  (typeof options.oauth === 'object' ? startDovecot : sharedDovecot)({
    name: 'Yahoo',
    capability,
    without: ['SPECIAL-USE'],
    folderNames: { Drafts: yahooFolders.drafts, Junk: yahooFolders.junk },
    ...options,
  })

/** The settings with which a service uses these servers as Yahoo's. */
export const yahooEnv = (simulator: Pick<YahooSimulator, 'url'>, mail: MailServer): Record<string, string> => ({
  WAYPOST_YAHOO_URL: simulator.url,
  ...yahooMailEnv(mail),
  WAYPOST_EGRESS: 'private',
})

export const yahooMailEnv = ({ host, imapsPort, smtpsPort }: MailServer): Record<string, string> => ({
  WAYPOST_YAHOO_IMAP_URL: `imaps://${host}:${imapsPort}`,
  WAYPOST_YAHOO_SMTP_URL: `smtps://${host}:${smtpsPort}`,
})

/** A service that connects to these servers. */
export const openYahooService = ({ simulator, mail }: YahooPeer, options: ServiceOptions = {}): Promise<TestService> =>
  openService({
    ...options,
    env: { ...yahooEnv(simulator, mail), ...options.env },
    overrides: { egress: createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] }), ...options.overrides },
  })

/** The connector settings of the simulated client. */
export const yahooConnector = ({ client }: Pick<YahooSimulator, 'client'>) => ({
  provider: 'yahoo',
  settings: { client_id: client.id, client_secret: client.secret },
})

/** Creates the yahoo connector of an application if it has none, and a grant with the refresh token of an account. */
export async function createYahooGrant(
  service: TestService,
  simulator: YahooSimulator,
  { email, key, scopes = everyScope }: { email: string; key: string; scopes?: readonly string[] },
): Promise<{ id: string; [field: string]: unknown }> {
  await service.call('POST', '/v3/connectors', { key, body: yahooConnector(simulator) })
  const { refreshToken } = simulator.grantToken(email, [...scopes])
  const made = await service.call('POST', '/v3/connect/custom', {
    key,
    body: { provider: 'yahoo', settings: { refresh_token: refreshToken } },
  })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data
}
