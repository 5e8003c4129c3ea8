/** Contacts of Exchange accounts, for the conformance suite. */
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../peers/exchange.ts'
import type { Call } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'

export const ewsContacts: ContactSubject = {
  name: 'accounts at Exchange',
  lacks: ['inbox'],
  // Outlook has no field for the type of an address.
  untyped: ['emails', 'im_addresses'],
  async open() {
    const peer = await openExchange()
    const { simulator } = peer
    const service = await openExchangeService(simulator)
    const email = 'ada@exchange.example'
    simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
    const { key } = await service.createApplication('Conformance')
    const { id: grantId } = await createExchangeGrant(service, { email, key })
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    return {
      call,
      grantId,
      email,
      async knowFromMail() {
        throw new Error('Exchange does not tell whom the user writes to')
      },
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
}
