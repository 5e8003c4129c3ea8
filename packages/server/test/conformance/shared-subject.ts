/** Subjects that are opened once for all suites of a file: each suite has its own accounts, which end with it. */
import { afterAll } from 'vitest'
import type { MailSubject, OpenMail } from './mail-subject.ts'
import type { OpenSubject, Subject } from './subject.ts'

/** Call it at the top of a test file: everything is closed after the last test of the file. */
export function sharedMail(subject: MailSubject): MailSubject {
  let opened: Promise<OpenMail> | undefined
  afterAll(async () => {
    const open = await opened
    opened = undefined
    await open?.[Symbol.asyncDispose]()
  })
  return {
    ...subject,
    async open() {
      opened ??= subject.open()
      const open = await opened
      const grants: string[] = []
      return {
        ...open,
        async newAccount(wish) {
          const account = await open.newAccount(wish)
          grants.push(account.grantId)
          return account
        },
        async [Symbol.asyncDispose]() {
          // Closes their connections, because a provider limits their number.
          await Promise.all(grants.map((id) => open.call('DELETE', `/v3/grants/${id}`)))
        },
      }
    },
  }
}

/** The same for calendars: both suites use one account, and leave its calendar empty. */
export function sharedCalendar(subject: Subject): Subject {
  let opened: Promise<OpenSubject> | undefined
  afterAll(async () => {
    const open = await opened
    opened = undefined
    await open?.[Symbol.asyncDispose]()
  })
  return {
    ...subject,
    async open() {
      opened ??= subject.open()
      return { ...(await opened), [Symbol.asyncDispose]: async () => undefined }
    },
  }
}
