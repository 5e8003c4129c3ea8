/** Accounts that read from a real mail server and send through the sink. */
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { type Sink, startSink } from './sink.ts'
import type { Site } from './site.ts'

export interface SendingAccount extends Mailbox {
  grantId: string
}

export interface Senders extends AsyncDisposable {
  sink: Sink
  accounts: readonly SendingAccount[]
  /** From now on the sink files the messages of an account, as some servers do. */
  fileItself(account: SendingAccount): void
  /** The number of copies of a message in an account's sent folder. */
  copies(account: SendingAccount, messageId: string): Promise<number>
}

/** Connects this many accounts to a site that has an API node and has settled; `more` are further settings. */
export async function openSenders(
  site: Site,
  count: number,
  more: (mailbox: Mailbox) => Promise<Record<string, string>> = async () => ({}),
): Promise<Senders> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await sharedDovecot())
  const sink = stack.use(await startSink())
  const filing = new Set<string>()
  sink.onTaken = async (source) => {
    const user = /^from:.*?([^\s<>]+@[^\s<>]+)/im.exec(source)?.[1] ?? ''
    if (filing.has(user)) await server.deliver(user, source, { folder: 'Sent', flags: ['\\Seen'] })
  }
  const make = async (target: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await site.call('POST', target, { body })
    if (answer.status >= 300) throw new Error(`POST ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  // Watched mailboxes of the same site may have made it.
  const { status } = await site.call('GET', '/v3/connectors/imap')
  if (status === 404) await make('/v3/connectors', { provider: 'imap' })
  const accounts: SendingAccount[] = []
  for (let index = 0; index < count; index++) {
    const mailbox = await server.addUser()
    const { id: grantId = '' } = await make('/v3/connect/custom', {
      provider: 'imap',
      settings: {
        imap_username: mailbox.user,
        imap_password: mailbox.password,
        imap_host: server.host,
        imap_port: server.imapsPort,
        smtp_host: '127.0.0.1',
        smtp_port: sink.port,
        watch: false,
        ...(await more(mailbox)),
      },
    })
    accounts.push({ ...mailbox, grantId })
  }
  const retained = stack.move()
  return {
    sink,
    accounts,
    fileItself: ({ user }) => void filing.add(user),
    async copies({ user }, messageId) {
      await using client = await server.client(user)
      await client.mailboxOpen('Sent', { readOnly: true })
      const found = await client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
      return found ? found.length : 0
    },
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
