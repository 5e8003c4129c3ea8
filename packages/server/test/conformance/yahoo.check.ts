/** Yahoo accounts with tokens. */
import { everyScope, openYahoo, type YahooPeer, yahooConnector, yahooEnv, yahooFolders } from '../peers/yahoo.ts'
import { describeProvider } from './describe-provider.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { yahooContacts } from './yahoo-contacts-subject.ts'

let peer: YahooPeer
const kind: MailKind = {
  provider: 'yahoo',
  connector: () => yahooConnector(peer.simulator).settings,
  env: (server) => yahooEnv(peer.simulator, server),
  settings(_server, { user }) {
    peer.simulator.addAccount({ email: user })
    return { refresh_token: peer.simulator.grantToken(user, everyScope).refreshToken }
  },
}
const start = async () => {
  peer = await openYahoo()
  return { ...peer.mail, [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() }
}
await describeProvider(() => ({
  adapter: 'yahoo',
  mail: {
    ...imapSubject('Yahoo', start, { separator: '/', prefix: '', folderNames: yahooFolders, kind }),
    // Its names of folders are in `yahoo.test.ts`; iCloud shows what unusual names change.
    differs: ['sign-in'],
  },
  contacts: yahooContacts,
}))
