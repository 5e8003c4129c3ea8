/** Contacts of Microsoft accounts, for the conformance suite. */
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import type { Call } from './accounts.ts'
import type { ContactSubject } from './contacts-subject.ts'

export const microsoftContacts: ContactSubject = {
  name: 'accounts at Microsoft',
  // Graph has no field for the type of an address.
  untyped: ['emails', 'im_addresses'],
  lacks: ['picture-removal'],
  async open() {
    const peer = await openMicrosoft()
    const { simulator } = peer
    const service = await openMicrosoftService(simulator)
    const email = 'ada@contoso.example'
    const { contacts } = simulator.addAccount({ email, name: 'Ada' })
    const { key } = await service.createApplication('Conformance')
    const { id: grantId } = await createMicrosoftGrant(service, simulator, { email, key })
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    return {
      call,
      grantId,
      email,
      async knowFromMail(person) {
        contacts.addCorrespondent(person)
      },
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
}
