/** Mail accounts at the simulated Google, for the mail suites. */
import { randomUUID } from 'node:crypto'
import type { GoogleOptions, GoogleSimulator } from '../../../simulators/src/index.ts'
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import { accountOf, type Call, callOf, type Json } from './accounts.ts'
import {
  deliverEarlier,
  type Found,
  type MailAccount,
  type MailSubject,
  noon,
  type OpenSimulated,
  type OtherClient,
  type Place,
  type SimulatedMail,
  sourceOf,
} from './mail-subject.ts'
import { googleTable } from './mail-tables.ts'

const special: Record<string, string> = { inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT', trash: 'TRASH', junk: 'SPAM' }

/** Labels for the flags of a message; `unread` and `starred` have the same information. */
const marks = new Set(['UNREAD', 'STARRED', 'IMPORTANT'])
const isPlace = (label: string): boolean => !marks.has(label) && !label.startsWith('CATEGORY_')

type Mail = ReturnType<GoogleSimulator['account']>['mail']

export const googleSubject: MailSubject = {
  name: 'Google',
  lacks: ['late-threads', 'archive', 'leaving-sent', 'folders-with-messages', 'trash-alone'],
  separator: '/',
  refusedNames: [],
  search: { subject: (word) => `subject:${word}`, wrong: ['subject:one\r\ntwo'], alone: true, words: true },
  table: googleTable,
  open: () => openGoogleMail(),
}

export async function openGoogleMail({
  provider,
  ...options
}: OpenSimulated<GoogleOptions> = {}): Promise<SimulatedMail<GoogleSimulator>> {
  await using resources = new AsyncDisposableStack()
  const { simulator, checkSchemas } = resources.use(await openGoogle(provider))
  const service = resources.use(await openGoogleService(simulator, options))
  const { key } = await service.createApplication('Mail')
  const open = resources.move()
  return {
    service,
    key,
    simulator,
    call: callOf(service, key),
    async newAccount({ key: own = key, scopes, before = [] } = {}): Promise<MailAccount> {
      checkSchemas()
      const email = `${randomUUID()}@people.test`
      const { mail } = simulator.addAccount({ email })
      deliverEarlier(mail, before)
      const archive = mail.createLabel('Archive')
      const { id } = await createGoogleGrant(service, simulator, { email, key: own, ...(scopes && { scopes }) })
      const placed: Call = async (...args) => withoutMarks(await callOf(service, own)(...args))
      return {
        ...accountOf(placed, { grantId: id, email }),
        archive,
        async deliver(mimeMessage, { folder = 'inbox', date = noon, seen = false, starred = false } = {}) {
          const labels = [labelOf(mail, folder), ...(seen ? [] : ['UNREAD']), ...(starred ? ['STARRED'] : [])]
          const { id: messageId } = mail.deliver(onTheWire(sourceOf(mimeMessage)), { labels, at: date * 1000 })
          if (folder === 'drafts') keepDraft(mail, messageId)
        },
        other: otherClient(mail),
        disconnect: async () => simulator.expireAccessTokens(),
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Mail systems pass messages on with CRLF. */
const onTheWire = (source: string | Buffer): string | Buffer =>
  typeof source === 'string' ? source.replaceAll(/\r?\n/g, '\r\n') : source

const messageIdOf = (mail: Mail, id: string): string | undefined =>
  /^Message-ID: <(.*)>\r$/m.exec(Buffer.from(mail.read(id).raw).toString('latin1'))?.[1]

/** Another program saves a draft: a new one, or the next version of an existing one. */
function keepDraft(mail: Mail, id: string): void {
  const { drafts } = mail.mailbox
  const name = messageIdOf(mail, id)
  const known = [...drafts].find(([, each]) => name !== undefined && messageIdOf(mail, each) === name)
  if (known) mail.remove(known[1])
  drafts.set(known?.[0] ?? `r${BigInt(`0x${id}`)}`, id)
}

/** A response in which the folders of messages contain no flags. */
function withoutMarks<A extends { body: Json }>(answer: A): A {
  const clean = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
    const entries = Object.entries(value).map(([name, each]) =>
      name === 'folders' && Array.isArray(each) ? [name, each.filter(isPlace)] : [name, clean(each)],
    )
    return Object.fromEntries(entries)
  }
  return { ...answer, body: clean(answer.body) }
}

const labelNames = (mail: Mail): [string, string][] =>
  [...mail.mailbox.labels.values()].map(({ id, name }) => [id, name])

/** The label of a place; a missing one is created. */
function labelOf(mail: Mail, place: Place): string {
  const known = special[place] ?? labelNames(mail).find(([, name]) => name === nameOf(place))?.[0]
  return known ?? mail.createLabel(nameOf(place))
}

const nameOf = (place: Place): string => (place === 'archive' ? 'Archive' : place)

function placeOf(mail: Mail, label: string): string {
  const own = Object.keys(special).find((place) => special[place] === label)
  const name = own ?? labelNames(mail).find(([id]) => id === label)?.[1] ?? label
  return name === 'Archive' ? 'archive' : name
}

function otherClient(mail: Mail): OtherClient {
  const named = (messageId: string): string[] =>
    mail
      .list()
      .filter(({ id }) => messageIdOf(mail, id) === messageId)
      .map(({ id }) => id)
  /** The message at a place, which must exist. */
  const at = (messageId: string, place: Place): string => {
    const label = labelOf(mail, place)
    const found = named(messageId).find((id) => mail.read(id).labels.includes(label))
    if (found === undefined) throw new Error(`There is no message ${messageId} in ${place}`)
    return found
  }
  const labelNamed = (name: string): string => {
    const found = labelNames(mail).find(([, each]) => each === name)?.[0]
    if (found === undefined) throw new Error(`There is no label ${name}`)
    return found
  }
  return {
    async move(messageId, from, to) {
      mail.relabel(at(messageId, from), { add: [labelOf(mail, to)], remove: [labelOf(mail, from)] })
    },
    async copy(messageId, from, to) {
      mail.relabel(at(messageId, from), { add: [labelOf(mail, to)] })
    },
    async mark(messageId, place, { seen, starred }) {
      const on = [...(seen ? [] : ['UNREAD']), ...(starred ? ['STARRED'] : [])]
      mail.relabel(at(messageId, place), {
        add: on,
        remove: ['UNREAD', 'STARRED'].filter((each) => !on.includes(each)),
      })
    },
    async erase(messageId, place) {
      mail.remove(at(messageId, place))
    },
    async createFolder(name) {
      mail.createLabel(name)
    },
    async renameFolder(name, to) {
      const label = mail.mailbox.labels.get(labelNamed(name))
      if (label) label.name = to
    },
    async deleteFolder(name) {
      const label = labelNamed(name)
      for (const { id } of mail.list()) mail.relabel(id, { remove: [label] })
      mail.mailbox.labels.delete(label)
    },
    async find(messageId) {
      return named(messageId).flatMap((id) => {
        const { labels } = mail.read(id)
        const [seen, starred] = [!labels.includes('UNREAD'), labels.includes('STARRED')]
        return labels.filter(isPlace).map((label): Found => ({ folder: placeOf(mail, label), seen, starred }))
      })
    },
    folders: async () => labelNames(mail).map(([id]) => placeOf(mail, id)),
  }
}
