/** Contacts of Yahoo accounts, which the service stores, for the conformance suite. */
import { expect, vi } from 'vitest'
import { createYahooGrant, openYahoo, openYahooService } from '../peers/yahoo.ts'
import type { Call } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'
import { sourceOf } from './mail-subject.ts'

export const yahooContacts: ContactSubject = {
  name: 'accounts at Yahoo',
  lacks: ['several-values'],
  async open() {
    await using resources = new AsyncDisposableStack()
    const peer = resources.use(await openYahoo())
    const service = resources.use(await openYahooService(peer, { overrides: { serving: true } }))
    await service.listen()
    const { key } = await service.createApplication('Conformance')
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    const { email } = await peer.newUser()
    const { id } = await createYahooGrant(service, peer.simulator, { email, key })
    const open = resources.move()
    return {
      ...{ call, grantId: id, email },
      async knowFromMail({ name, email: from }) {
        await peer.mail.deliver(email, sourceOf({ from: `${name} <${from}>`, to: email }))
        const inbox = `/v3/grants/${id}/contacts?source=inbox`
        await vi.waitFor(async () => expect((await call('GET', inbox)).body.data).not.toEqual([]), {
          timeout: 100_000,
          interval: 50,
        })
      },
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  },
}
