/** Contacts of accounts at Google, through the suite that every provider passes. */
import { createGoogleGrant, openGoogle, openGoogleHouse } from '../peers/google.ts'
import { describeContacts } from './contacts.ts'
import type { Call } from './office.ts'

describeContacts({
  name: 'accounts at Google',
  async open() {
    const peer = await openGoogle()
    const { simulator } = peer
    const house = await openGoogleHouse(simulator)
    const email = 'ada@example.com'
    const { contacts } = simulator.addAccount({ email, name: 'Ada' })
    const { key } = await house.createApplication('Conformance')
    const { id: grantId } = await createGoogleGrant(house, simulator, { email, key })
    const call: Call = (method, path, options) => house.call(method, path, { key, ...options })
    return {
      call,
      grantId,
      email,
      async knowFromMail(person) {
        contacts.addOtherContact({ names: [{ givenName: person.name }], emailAddresses: [{ value: person.email }] })
      },
      async [Symbol.asyncDispose]() {
        await house[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
})
