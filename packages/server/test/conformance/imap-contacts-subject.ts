/** Contacts of IMAP accounts, which the service stores. */

import { createEgress } from '@waypost/platform/egress/egress'
import type { Engine } from '@waypost/testing/engines'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { expect, vi } from 'vitest'
import { openService } from '../harness.ts'
import type { Call } from './accounts.ts'
import { expectStatus } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'
import { imapSettings } from './imap-subject.ts'
import { sourceOf } from './mail-subject.ts'

export const imapContacts = (engine: Engine): ContactSubject => ({
  name: `accounts at IMAP servers, in ${engine}`,
  lacks: ['several-values'],
  async open() {
    await using resources = new AsyncDisposableStack()
    const server = resources.use(await sharedDovecot())
    const egress = createEgress({ mode: 'private', ca: [server.ca] })
    const service = resources.use(await openService({ engine, overrides: { egress, serving: true } }))
    await service.listen()
    const { key } = await service.createApplication('Conformance')
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
    const mailbox = await server.addUser()
    const body = { provider: 'imap', settings: imapSettings(server, mailbox) }
    const { data } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body
    const open = resources.move()
    return {
      ...{ call, grantId: data.id, email: mailbox.user },
      async knowFromMail({ name, email }) {
        await server.deliver(mailbox.user, sourceOf({ from: `${name} <${email}>`, to: mailbox.user }))
        const inbox = `/v3/grants/${data.id}/contacts?source=inbox`
        await vi.waitFor(async () => expect((await call('GET', inbox)).body.data).not.toEqual([]), {
          timeout: 30_000,
          interval: 50,
        })
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  },
})
