/** Sending by an account's SMTP server, and the copy of what was sent in its IMAP mailbox. */
import type { ImapFlow } from 'imapflow'
import { ApiError } from '../../lib/api-error.ts'
import { sleep } from '../../lib/clock.ts'
import type { Letter, Sent } from '../operations.ts'
import { SendFailed, type SentMail } from '../provider.ts'
import { accountsOfGrant } from './account.ts'
import { checkOpen, fetchByUid } from './command.ts'
import { ConnectionFailed, toApiError } from './errors.ts'
import { uidSet } from './folder-index.ts'
import { identityFields, messageId, readIdentity } from './mapping/ids.ts'
import { header, searchUids } from './search.ts'
import { look, type Session, speaking } from './session.ts'

/** Sends a message. Its id follows from its own header, so it is known before the copy is filed. */
export async function send(session: Session, letter: Letter, begin: () => Promise<void>): Promise<Sent> {
  const { grant, io, submission } = session
  if (!accountsOfGrant(grant, io.credentials()).smtp) {
    throw new ApiError(
      'not_supported_by_provider',
      'this grant cannot send: authenticate it again with smtp_host, and smtp_port, smtp_username and smtp_password where they differ',
      { fields: { provider: 'imap', capability: 'messages.send' } },
    )
  }
  try {
    await submission.send(letter, begin, io.signal)
  } catch (error) {
    throw error instanceof ConnectionFailed ? toApiError(error) : error
  }
  return { id: idOf(letter.source) }
}

/** The header block of a message, and no more of it. */
function headerOf(source: Uint8Array): Buffer {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const [crlf, lf] = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')]
  const ends = [crlf, lf].filter((at) => at !== -1)
  return ends.length === 0 ? bytes : bytes.subarray(0, Math.min(...ends))
}

const idOf = (source: Uint8Array): string => messageId(readIdentity(headerOf(source)), { date: 0, size: source.length })

/** Servers that file what they take: a copy of ours would be a second one. */
const filesItself = /(^|\.)(gmail\.com|googlemail\.com|office365\.com|outlook\.com|hotmail\.com|me\.com|icloud\.com)$/i
const filingMs = 10_000

/** Where each mailbox keeps what was sent. */
const places = new WeakMap<Session['mailbox'], string>()

async function placeOf(session: Session): Promise<string> {
  const known = places.get(session.mailbox)
  if (known !== undefined) return known
  const folder = (await look(session)).find(({ use }) => use === '\\Sent')
  const path = folder?.path ?? (await makePlace(session))
  places.set(session.mailbox, path)
  return path
}

async function makePlace({ mailbox, io }: Session): Promise<string> {
  const { path } = await mailbox.pool.use({ signal: io.signal }, (client) => client.mailboxCreate('Sent'))
  return path
}

/** Works in the folder of what was sent; one that was renamed or removed meanwhile is looked for anew. */
async function inSent<T>(session: Session, work: (client: ImapFlow, path: string) => Promise<T>): Promise<T> {
  const path = await placeOf(session)
  const run = (at: string): Promise<T> =>
    session.mailbox.in(at, { signal: session.io.signal, caughtUpSince: undefined }, (client) => work(client, at))
  try {
    return await run(path)
  } catch (error) {
    places.delete(session.mailbox)
    const now = await placeOf(session)
    if (now === path) throw error
    return run(now)
  }
}

/** The id of the message with this Message-ID in the selected folder. */
async function findSelected(client: ImapFlow, wanted: string): Promise<string | undefined> {
  const uids = await searchUids(client, header('Message-ID', wanted))
  if (uids.length === 0) return undefined
  const found = await fetchByUid(client, uidSet(uids), { uid: true, headers: [...identityFields], size: true })
  for (const { headers, size = 0 } of found) {
    const identity = readIdentity(headers ?? '')
    // The search finds what contains the text.
    if (identity.messageId === wanted) return messageId(identity, { date: 0, size })
  }
  return undefined
}

async function append(client: ImapFlow, path: string, { source }: Letter): Promise<void> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const done = await client.append(path, bytes, ['\\Seen'])
  if (!done) {
    checkOpen(client)
    throw new ApiError('provider_refused', `the mail server did not file the copy in ${path}`)
  }
}

export const sent: SentMail<Session> = {
  find: (session, wanted) => speaking(() => inSent(session, (client) => findSelected(client, wanted))),

  file: (session, letter) =>
    speaking(async () => {
      const { grant, io } = session
      const host = accountsOfGrant(grant, io.credentials()).smtp?.host ?? ''
      if (filesItself.test(host)) return untilFiled(session, letter)
      // Search and copy on one line: where it breaks in between, the search of the next try finds the copy.
      return inSent(session, async (client, path) => {
        const there = await findSelected(client, letter.messageId)
        if (there !== undefined) return there
        await append(client, path, letter)
        return idOf(letter.source)
      })
    }),
}

async function untilFiled(session: Session, { messageId: wanted }: Letter): Promise<string> {
  for (const until = performance.now() + filingMs; ; await sleep(1_000, session.io.signal)) {
    const there = await inSent(session, (client) => findSelected(client, wanted))
    if (there !== undefined) return there
    if (performance.now() > until) throw new SendFailed('the server has not filed the message yet')
  }
}
