/** Accounts with calendars and contacts on a real DAV server, for the calendar and contact suites. */
import { createEgress } from '@waypost/platform/egress/egress'
import { testCertificate } from '@waypost/testing/peers/certificates'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startICloud } from '@waypost/testing/peers/icloud'
import { type Mailbox, type MailServer, newMailbox } from '@waypost/testing/peers/mail-server'
import { startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { openService, type TestService } from '../harness.ts'
import { type Call, expectStatus, type Fields } from './accounts.ts'
import { imapSettings } from './imap-subject.ts'

export interface OpenDav extends AsyncDisposable {
  service: TestService
  applicationId: string
  key: string
  call: Call
  dav: DavServer
  mail: MailServer
  /** A new user of both servers, connected. */
  newAccount(more?: Fields): Promise<{ grantId: string; email: string; mailbox: Mailbox }>
}

/** Mailboxes of the kind `imap` with an additional DAV server. */
export async function openImapAndDav(start: () => Promise<DavServer>): Promise<OpenDav> {
  await using resources = new AsyncDisposableStack()
  const mail = resources.use(await sharedDovecot())
  const dav = resources.use(await start())
  const service = resources.use(
    await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [mail.ca] }), serving: true } }),
  )
  return await opened(resources, { service, mail, dav, provider: 'imap' }, async (more) => {
    const mailbox = await mail.addUser()
    await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
    const addresses = { caldav_url: dav.davUrl, carddav_url: dav.davUrl }
    return { mailbox, settings: { ...imapSettings(mail, mailbox), ...addresses, watch: false, ...more } }
  })
}

/** Accounts of the kind `icloud`, on servers that replace Apple's. */
export async function openICloud(): Promise<OpenDav> {
  await using resources = new AsyncDisposableStack()
  const icloud = resources.use(await startICloud())
  const { key, cert } = await testCertificate()
  const smtp = resources.use(await startSmtpSink({ key, cert, disabledCommands: ['AUTH'] }))
  const env = {
    WAYPOST_ICLOUD_IMAP_URL: `imaps://${icloud.host}:${icloud.imapsPort}`,
    WAYPOST_ICLOUD_SMTP_URL: `smtp://localhost:${smtp.port}`,
    WAYPOST_ICLOUD_CALDAV_URL: icloud.davUrl,
    WAYPOST_ICLOUD_CARDDAV_URL: icloud.davUrl,
  }
  const egress = createEgress({ mode: 'private', ca: [icloud.ca] })
  const service = resources.use(await openService({ env, overrides: { egress } }))
  return await opened(resources, { service, mail: icloud, dav: icloud, provider: 'icloud' }, async (more) => {
    const mailbox = await icloud.addDavUser(newMailbox().user.split('@')[0])
    return { mailbox, settings: { username: mailbox.user, password: mailbox.password, watch: false, ...more } }
  })
}

async function opened(
  resources: AsyncDisposableStack,
  { service, mail, dav, provider }: { service: TestService; mail: MailServer; dav: DavServer; provider: string },
  newUser: (more: Fields) => Promise<{ mailbox: Mailbox; settings: Fields }>,
): Promise<OpenDav> {
  const { id: applicationId, key } = await service.createApplication('DAV')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider } }), 201)
  const held = resources.move()
  return {
    ...{ service, applicationId, key, call, mail, dav },
    async newAccount(more = {}) {
      const { mailbox, settings } = await newUser(more)
      const made = await call('POST', '/v3/connect/custom', { body: { provider, settings } })
      return { grantId: expectStatus(made, 201).body.data.id, email: mailbox.user, mailbox }
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
