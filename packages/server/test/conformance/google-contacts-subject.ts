/** Contacts of Google accounts, for the conformance suite. */
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import type { Call } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'

export const googleContacts: ContactSubject = {
  name: 'accounts at Google',
  async open() {
    const peer = await openGoogle()
    const { simulator } = peer
    const service = await openGoogleService(simulator)
    const email = 'ada@example.com'
    const { contacts } = simulator.addAccount({ email, name: 'Ada' })
    const { key } = await service.createApplication('Conformance')
    const { id: grantId } = await createGoogleGrant(service, simulator, { email, key })
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    return {
      call,
      grantId,
      email,
      async knowFromMail(person) {
        contacts.addOtherContact({ names: [{ givenName: person.name }], emailAddresses: [{ value: person.email }] })
      },
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
}
