/** Contacts of mailboxes on Cyrus, which converts cards on request. `imap-dav.test.ts` tests them on Radicale. */
import { expect, vi } from 'vitest'
import { sharedCyrus } from '../peers/cyrus.ts'
import { describeContacts } from './contacts.ts'
import { openImapAndDav } from './dav-subject.ts'
import { sourceOf } from './mail-subject.ts'

describeContacts({
  name: 'mailboxes with contacts at Cyrus',
  async open() {
    const opened = await openImapAndDav(sharedCyrus)
    await opened.service.listen()
    const { call, mail } = opened
    const { grantId, email } = await opened.newAccount({ caldav_url: 'none', watch: true })
    return {
      ...{ call, grantId, email },
      async knowFromMail(person) {
        await mail.deliver(email, sourceOf({ from: `${person.name} <${person.email}>`, to: email }))
        const inbox = `/v3/grants/${grantId}/contacts?source=inbox`
        await vi.waitFor(async () => expect((await call('GET', inbox)).body.data).not.toEqual([]), {
          timeout: 30_000,
          interval: 50,
        })
      },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  },
})
