/** Contacts at CardDAV servers, through the suite that every provider passes: an adapter of contacts alone. */
import type { Grant } from '@waypost/contract'
import { contactGroupOperations } from '../../src/providers/dav/carddav/contact-groups.ts'
import { contactOperations } from '../../src/providers/dav/carddav/contacts.ts'
import { cardDavLimits } from '../../src/providers/dav/carddav/limits.ts'
import { type CardDavTraits, cardDavTraits, iCloudCardTraits } from '../../src/providers/dav/carddav/traits.ts'
import { type DavSession, openDav } from '../../src/providers/dav/session.ts'
import type { SessionIo } from '../../src/providers/io.ts'
import { defineProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { openService } from '../harness.ts'
import { startCyrus } from '../peers/cyrus.ts'
import type { DavServer } from '../peers/dav-server.ts'
import { startRadicale } from '../peers/radicale.ts'
import { type Call, expectStatus } from './accounts.ts'
import { describeContacts } from './contacts.ts'

/** Contacts at a server, and nothing else. */
const contactsAt = (traits: CardDavTraits, url: string) =>
  defineProvider<DavSession>()({
    kind: 'ews',
    limits: cardDavLimits,
    authenticate: async ({ ews_username: email, ews_password: password }) => ({
      ...{ name: null, providerUserId: null, scope: [], settings: {} },
      email: `${email}`,
      credentials: { password },
    }),
    open: (grant: Grant, io: SessionIo) => ({
      grant,
      io,
      dav: openDav(io, { carddavUrl: url, auth: { user: grant.email, password: `${io.credentials().password}` } }),
    }),
    contacts: contactOperations(traits),
    contactGroups: contactGroupOperations(traits),
  })

async function open(start: () => Promise<DavServer>, traits: CardDavTraits) {
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await start())
  const mailbox = await server.addDavUser()
  const ews = contactsAt(traits, server.davUrl)
  const service = resources.use(await openService({ overrides: { providers: { ...providers, ews } } }))
  const { key } = await service.createApplication('Conformance')
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'ews' } }), 201)
  const settings = { ews_username: mailbox.user, ews_password: mailbox.password, ews_host: 'localhost' }
  const connected = await call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
  const { data } = expectStatus(connected, 201).body
  const open = resources.move()
  return {
    ...{ call, grantId: data.id as string, email: mailbox.user },
    knowFromMail: () => Promise.reject(new Error('it knows nobody from mail')),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

for (const [name, start] of [
  ['Cyrus', startCyrus],
  ['Radicale', startRadicale],
] as const) {
  describeContacts({
    name: `accounts at ${name}`,
    lacks: ['inbox'],
    open: () => open(start, cardDavTraits),
  })
}

describeContacts({
  name: 'accounts at iCloud',
  lacks: ['inbox'],
  open: () => open(startCyrus, iCloudCardTraits),
})
