/** Mail accounts at the simulated Exchange, for the mail suites. */
import { randomUUID } from 'node:crypto'
import type { ExchangeOptions, ExchangeSimulator } from '../../../simulators/src/index.ts'
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../peers/exchange.ts'
import { accountOf, callOf } from './accounts.ts'
import {
  deliverEarlier,
  type Found,
  invitationOf,
  type MailSubject,
  noon,
  type OpenMail,
  type OpenSimulated,
  type OtherClient,
  type Place,
  type SimulatedMail,
  sourceOf,
} from './mail-subject.ts'
import { exchangeTable } from './mail-tables.ts'

const special: Record<string, string> = {
  inbox: 'inbox',
  sent: 'sentitems',
  drafts: 'drafts',
  trash: 'deleteditems',
  junk: 'junkemail',
}

type Mail = ReturnType<ExchangeSimulator['account']>['mail']

export const ewsSubject: MailSubject = {
  name: 'Exchange',
  lacks: ['several-folders', 'names-of-nameless-files', 'stable-ids'],
  search: {
    subject: (word) => `subject:${word}`,
    wrong: ['subject:one\r\ntwo', ' '],
  },
  table: exchangeTable,
  open: () => openExchangeMail(),
}

export async function openExchangeMail({
  provider,
  ...options
}: OpenSimulated<ExchangeOptions> = {}): Promise<SimulatedMail<ExchangeSimulator>> {
  await using resources = new AsyncDisposableStack()
  const { simulator, checkSchema } = resources.use(await openExchange(provider))
  const service = resources.use(await openExchangeService(simulator, options))
  const { key } = await service.createApplication('Mail')
  const newAccount: OpenMail['newAccount'] = async ({ key: own = key, scopes, before = [] } = {}) => {
    checkSchema()
    const email = `${randomUUID()}@people.test`
    const { mail } = simulator.addAccount({ email, password: exchangePassword, name: email })
    // A mailbox has an archive folder only by its name.
    mail.createFolder('Archive')
    deliverEarlier(mail, before)
    const { id } = await createExchangeGrant(service, { email, key: own, ...(scopes && { scopes }) })
    return {
      ...accountOf(callOf(service, own), { grantId: id, email }),
      async deliver(mimeMessage, { folder = 'inbox', date = noon, seen = false, starred = false } = {}) {
        const source = onTheWire(sourceOf(mimeMessage))
        if (folder === 'drafts' && rewriteDraft(mail, source)) return
        mail.deliver(source, {
          folder: idOf(mail, folder),
          at: date * 1000,
          isRead: seen,
          isFlagged: starred,
          isDraft: folder === 'drafts',
        })
      },
      other: otherClient(mail),
      disconnect: async () => undefined,
    }
  }
  const open = resources.move()
  return {
    service,
    key,
    simulator,
    call: callOf(service, key),
    newAccount,
    invite: async (guest) => invitationOf(await newAccount(), guest),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Mail systems pass messages on with CRLF. */
const onTheWire = (source: string | Buffer): Buffer =>
  typeof source === 'string' ? Buffer.from(source.replaceAll(/\r?\n/g, '\r\n')) : source

const messageIdIn = (source: Uint8Array): string | undefined =>
  /^Message-ID: <(.*)>\r?$/m.exec(Buffer.from(source).toString('latin1'))?.[1]

const named = (mail: Mail, messageId: string): string[] =>
  mail
    .list()
    .filter(({ id }) => messageIdIn(mail.read(id).raw) === messageId)
    .map(({ id }) => id)

/** Another program saves an existing draft again; returns whether there was one. */
function rewriteDraft(mail: Mail, source: Buffer): boolean {
  const name = messageIdIn(source)
  const [id] = name === undefined ? [] : named(mail, name).filter((each) => mail.read(each).isDraft)
  if (id === undefined) return false
  mail.rename(id, /^Subject: (.*)\r$/m.exec(source.toString('latin1'))?.[1] ?? '')
  return true
}

/** The folder of a place; a missing one is created. */
function idOf(mail: Mail, place: Place): string {
  if (special[place]) return special[place]
  const name = place === 'archive' ? 'Archive' : place
  return mail.folders().find((folder) => folder.name === name)?.id ?? mail.createFolder(name)
}

const placeOf = (folder: string): string =>
  folder === 'Archive' ? 'archive' : (Object.entries(special).find(([, name]) => name === folder)?.[0] ?? folder)

function otherClient(mail: Mail): OtherClient {
  /** The message at a place, which must exist. */
  const at = (messageId: string, place: Place): string => {
    const found = named(mail, messageId).find((id) => placeOf(mail.read(id).folder) === place)
    if (found === undefined) throw new Error(`There is no message ${messageId} in ${place}`)
    return found
  }
  return {
    async move(messageId, from, to) {
      mail.move(at(messageId, from), idOf(mail, to))
    },
    async copy(messageId, from, to) {
      mail.copy(at(messageId, from), idOf(mail, to))
    },
    async mark(messageId, place, { seen, starred }) {
      mail.mark(at(messageId, place), { isRead: seen, isFlagged: starred })
    },
    async erase(messageId, place) {
      mail.remove(at(messageId, place))
    },
    async createFolder(name) {
      mail.createFolder(name)
    },
    async renameFolder(name, to) {
      mail.renameFolder(idOf(mail, name), to)
    },
    async deleteFolder(name) {
      mail.removeFolder(idOf(mail, name))
    },
    async find(messageId) {
      return named(mail, messageId).map((id): Found => {
        const { folder, isRead, isFlagged } = mail.read(id)
        return { folder: placeOf(folder), seen: isRead, starred: isFlagged }
      })
    },
    folders: async () => mail.folders().map(({ name }) => name),
  }
}
