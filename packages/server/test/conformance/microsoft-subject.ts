/** Mail accounts at the simulated Microsoft, for the mail suites. */
import { randomUUID } from 'node:crypto'
import type { MicrosoftOptions, MicrosoftSimulator } from '../../../simulators/src/index.ts'
import { createMicrosoftGrant, everyScope, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import { accountOf, callOf, type Json } from './accounts.ts'
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
import { microsoftTable } from './mail-tables.ts'

const special: Record<string, string> = {
  inbox: 'inbox',
  sent: 'sentitems',
  drafts: 'drafts',
  trash: 'deleteditems',
  junk: 'junkemail',
  archive: 'archive',
}

type Mail = ReturnType<MicrosoftSimulator['account']>['mail']

/** Another program of the same user, which calls Graph itself. */
type Graph = (method: string, path: string, body?: object) => Promise<Json>

export const microsoftSubject: MailSubject = {
  name: 'Microsoft',
  lacks: ['several-folders', 'names-of-nameless-files'],
  search: {
    subject: (word) => `subject:${word}`,
    wrong: ['subject:one\r\ntwo', '$filter=nonsense eq 1', '$top=3', 'subject:(one'],
    alone: true,
    words: true,
  },
  table: microsoftTable,
  open: () => openMicrosoftMail(),
}

export async function openMicrosoftMail({
  provider,
  ...options
}: OpenSimulated<MicrosoftOptions> = {}): Promise<SimulatedMail<MicrosoftSimulator>> {
  await using resources = new AsyncDisposableStack()
  const { simulator, checkTypes } = resources.use(await openMicrosoft(provider))
  const service = resources.use(await openMicrosoftService(simulator, options))
  const { key } = await service.createApplication('Mail')
  const newAccount: OpenMail['newAccount'] = async ({ key: own = key, scopes, before = [], seed } = {}) => {
    checkTypes()
    const email = `${randomUUID()}@people.test`
    const { mail } = simulator.addAccount({ email, ...seed })
    deliverEarlier(mail, before)
    const { id } = await createMicrosoftGrant(service, simulator, { email, key: own, ...(scopes && { scopes }) })
    const graph = graphOf(simulator, email)
    const places = placesOf(mail, graph)
    return {
      ...accountOf(callOf(service, own), { grantId: id, email }),
      async deliver(mimeMessage, { folder = 'inbox', date = noon, seen = false, starred = false } = {}) {
        const source = onTheWire(sourceOf(mimeMessage))
        if (folder === 'drafts' && (await rewriteDraft(mail, graph, source))) return
        const { id: messageId } = mail.deliver(source, {
          folder: await places.idOf(folder),
          at: date * 1000,
          isRead: seen,
          isDraft: folder === 'drafts',
        })
        if (starred) mail.mark(messageId, { flag: { flagStatus: 'flagged' } })
      },
      other: otherClient(mail, graph, places),
      disconnect: async () => simulator.expireAccessTokens(),
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

function graphOf(simulator: MicrosoftSimulator, email: string): Graph {
  return async (method, path, body) => {
    const { accessToken } = simulator.grantToken(email, everyScope)
    const response = await fetch(`${simulator.url}/v1.0/me/${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
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
async function rewriteDraft(mail: Mail, graph: Graph, source: Buffer): Promise<boolean> {
  const name = messageIdIn(source)
  const [id] = name === undefined ? [] : named(mail, name).filter((each) => mail.read(each).isDraft)
  if (id === undefined) return false
  const subject = /^Subject: (.*)\r$/m.exec(source.toString('latin1'))?.[1] ?? ''
  await graph('PATCH', `messages/${id}`, { subject })
  return true
}

interface Places {
  /** The id of a place; a missing one is created. */
  idOf(place: Place): Promise<string>
  /** All folders by id, with the names of their parents. */
  names(): Promise<Map<string, string>>
}

function placesOf(mail: Mail, graph: Graph): Places {
  const names = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    const walk = async (path: string, before: string): Promise<void> => {
      const { value } = await graph('GET', `${path}?$top=100`)
      for (const { id, displayName, childFolderCount } of value) {
        found.set(id, `${before}${displayName}`)
        if (childFolderCount > 0) await walk(`mailFolders/${id}/childFolders`, `${before}${displayName}/`)
      }
    }
    await walk('mailFolders', '')
    return found
  }
  return {
    names,
    async idOf(place) {
      if (special[place]) return special[place]
      const [known] = [...(await names())].find(([, name]) => name === place) ?? []
      return known ?? mail.createFolder(place)
    },
  }
}

const placeOf = (folder: string): string =>
  Object.entries(special).find(([, wellKnown]) => wellKnown === folder)?.[0] ?? folder

function otherClient(mail: Mail, graph: Graph, places: Places): OtherClient {
  /** The message at a place, which must exist. */
  const at = (messageId: string, place: Place): string => {
    const found = named(mail, messageId).find((id) => placeOf(mail.read(id).folder) === place)
    if (found === undefined) throw new Error(`There is no message ${messageId} in ${place}`)
    return found
  }
  return {
    async move(messageId, from, to) {
      await graph('POST', `messages/${at(messageId, from)}/move`, { destinationId: await places.idOf(to) })
    },
    async copy(messageId, from, to) {
      await graph('POST', `messages/${at(messageId, from)}/copy`, { destinationId: await places.idOf(to) })
    },
    async mark(messageId, place, { seen, starred }) {
      const flag = { flagStatus: starred ? 'flagged' : 'notFlagged' }
      await graph('PATCH', `messages/${at(messageId, place)}`, { isRead: seen, flag })
    },
    async erase(messageId, place) {
      await graph('POST', `messages/${at(messageId, place)}/permanentDelete`)
    },
    async createFolder(name) {
      await graph('POST', 'mailFolders', { displayName: name })
    },
    async renameFolder(name, to) {
      await graph('PATCH', `mailFolders/${await places.idOf(name)}`, { displayName: to })
    },
    async deleteFolder(name) {
      await graph('POST', `mailFolders/${await places.idOf(name)}/permanentDelete`)
    },
    async find(messageId) {
      return Promise.all(
        named(mail, messageId).map(async (id): Promise<Found> => {
          const { isRead, flag } = await graph('GET', `messages/${id}?$select=isRead,flag`)
          const { folder } = mail.read(id)
          return { folder: placeOf(folder), seen: isRead, starred: flag.flagStatus === 'flagged' }
        }),
      )
    },
    folders: async () => [...(await places.names()).values()],
  }
}
