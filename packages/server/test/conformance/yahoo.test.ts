/** Yahoo accounts with tokens, with the mail suites that depend on the vendor. */
import { everyScope, openYahoo, type YahooPeer, yahooConnector, yahooEnv, yahooFolders } from '../peers/yahoo.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { describeLimits } from './limits.ts'
import { describeMailOfVendor } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

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
const layout = { separator: '/', prefix: '', folderNames: yahooFolders, kind } as const
const yahoo = sharedMail(imapSubject('Yahoo', start, layout))
describeMailOfVendor(yahoo)
describeLimits({
  name: 'yahoo',
  async open() {
    const open = await yahoo.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
