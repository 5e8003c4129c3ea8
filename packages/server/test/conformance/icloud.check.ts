/** iCloud accounts: mail, calendars and contacts. */

import {
  type IcloudServers,
  icloudFolders,
  icloudMailEnv,
  startIcloudMailAlone,
} from '@waypost/testing/peers/icloud-mail'
import { afterAll } from 'vitest'
import { accountOf, expectStatus } from './accounts.ts'
import { type OpenDav, openICloud } from './dav-subject.ts'
import { describeProvider } from './describe-provider.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'

const kind: MailKind<IcloudServers> = {
  provider: 'icloud',
  env: icloudMailEnv,
  settings: (_server, { user, password }) => ({ username: user, password }),
}

let opened: Promise<OpenDav> | undefined
afterAll(async () => (await opened)?.[Symbol.asyncDispose]())

/** One iCloud with calendars and contacts for all suites, and an account for each. */
async function newAccount() {
  opened ??= openICloud()
  const { call, newAccount: make } = await opened
  return { call, ...(await make()), [Symbol.asyncDispose]: async () => undefined }
}

await describeProvider(() => ({
  adapter: 'icloud',
  mail: {
    ...imapSubject('iCloud', startIcloudMailAlone, { separator: '/', prefix: '', folderNames: icloudFolders, kind }),
    differs: ['folder names', 'sign-in'],
  },
  calendar: {
    name: 'iCloud accounts',
    // As the contract describes this kind.
    lacks: [
      'calendar-fields',
      'calendar-colours',
      'primary',
      'free-busy',
      'visibility',
      'busy',
      'ical-uid-filter',
      'master-filter',
      'updated-filter',
      'series-to-single',
    ],
    async open() {
      const account = await newAccount()
      const { call, grantId } = account
      const made = await call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Conformance' } })
      return { ...account, calendarId: expectStatus(made, 200).body.data.id }
    },
  },
  contacts: {
    name: 'iCloud accounts',
    lacks: ['inbox'],
    open: async () => ({ ...(await newAccount()), knowFromMail: async () => undefined }),
  },
  limits: {
    async open() {
      const account = await newAccount()
      const { mail } = await (opened ?? openICloud())
      const made = await account.call('POST', `/v3/grants/${account.grantId}/calendars`, { body: { name: 'Limits' } })
      return {
        account: accountOf(account.call, account),
        call: account.call,
        calendarId: expectStatus(made, 200).body.data.id,
        arrive: () => mail.deliver(account.email, 'Subject: Hello\n\nText'),
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  },
}))
