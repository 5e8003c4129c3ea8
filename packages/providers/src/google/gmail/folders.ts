/** Folders are labels. A message can have many of them, and deleting a label only removes it from its messages. */
import type { Folder, FolderDraft } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { object, readableItems } from '@waypost/platform/json/reader'
import type { Operations } from '../../operations.ts'
import { pageByKey } from '../../shared/key-pages.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { foundOf, type GmailLabel, gmailLabel, idPath, me, orNotFound, unknownFolder } from './gmail-api.ts'
import { fromLabel, isSystem } from './mapping/label.ts'

const fields = 'id,name,type,messagesTotal,messagesUnread,color'

const labelList = object({}, { labels: readableItems(gmailLabel) })

const pathOf = (id: string): string => `${me}/labels/${idPath('folder', id)}`

/** All labels, without their counts and colors. */
export async function listLabels(session: Session): Promise<GmailLabel[]> {
  const query = { fields: 'labels(id,name,type)' }
  const { labels = [] } = await session.call('gmail', 'GET', `${me}/labels`, { query, read: labelList })
  return labels
}

/** Refuses a filter that names no folder. */
export async function needLabel(session: Session, id: string): Promise<void> {
  if (id === 'DRAFT' || (await listLabels(session)).some((label) => label.id === id)) return
  throw unknownFolder()
}

const read = (session: Session, id: string): Promise<GmailLabel> =>
  orNotFound('folder', () => session.call('gmail', 'GET', pathOf(id), { query: { fields }, read: gmailLabel }))

/** Fields that Gmail returns only for a single label. */
const apart = new Set(['total_count', 'unread_count', 'background_color', 'text_color'])

/** Labels with their counts. Labels that were deleted meanwhile are left out. */
async function readAll(session: Session, labels: readonly GmailLabel[]): Promise<GmailLabel[]> {
  const calls = labels.map(({ id }) => ({ path: pathOf(id), query: { fields } }))
  return foundOf(await session.batch('gmail', calls, gmailLabel))
}

/** The body for a label. Gmail accepts both colors of its palette or none. */
function bodyOf(draft: Partial<FolderDraft>, known?: GmailLabel): object {
  const textColor = draft.text_color ?? known?.color?.textColor
  const backgroundColor = draft.background_color ?? known?.color?.backgroundColor
  const isColoured = draft.text_color != null || draft.background_color != null
  if (isColoured && (textColor === undefined || backgroundColor === undefined)) {
    const missing = textColor === undefined ? 'text_color' : 'background_color'
    throw invalidField(missing, 'must be there too: Gmail takes both colours or none')
  }
  return {
    ...(draft.name === undefined ? {} : { name: draft.name }),
    ...(isColoured ? { color: { textColor, backgroundColor } } : {}),
  }
}

function checkName(name: string | undefined): void {
  if (name?.split('/').some((part) => part === '')) {
    throw invalidField('name', 'a folder within another is written parent/child; no part may be empty')
  }
}

/** Maps Gmail's refusals: a name that is taken or reserved, or a color that it does not have. */
function refusal(error: unknown): unknown {
  const status = providerStatus(error)
  if (status === 409) return new ApiError('conflict', 'name: there is a folder of this name already')
  if (status !== 400 || !(error instanceof ApiError)) return error
  if (/colou?r/i.test(error.message)) return invalidField('background_color', "is none of Gmail's colours for labels")
  if (/exists|conflict/i.test(error.message)) {
    return new ApiError('conflict', 'name: there is a folder of this name already, or Gmail keeps it for itself')
  }
  return error
}

function refuseSystem(label: GmailLabel, what: string): void {
  if (isSystem(label)) throw new ApiError('provider_refused', `${label.id} is Gmail's own label and cannot be ${what}`)
}

/** The key of a label in the list; Gmail's own labels come first. */
const keyOf = (label: GmailLabel): string => `${isSystem(label) ? '0' : '1'}${label.name}\n${label.id}`

export const folders: Operations<Session>['folders'] = {
  async list(session, query, position) {
    const { select, limit } = query
    const { items, ...next } = pageByKey(await listLabels(session), keyOf, { position, limit })
    const isShort = select !== undefined && select.length > 0 && !select.some((name) => apart.has(name))
    const whole = isShort ? items : await readAll(session, items)
    return { items: whole.map((label): Folder => fromLabel(label, session.grant.id)), ...next }
  },

  async get(session, at) {
    return fromLabel(await read(session, at.folder_id), session.grant.id)
  },

  async create(session, at, draft) {
    checkName(draft.name)
    const options = { query: { fields }, body: bodyOf(draft), read: gmailLabel }
    const label = await session.call('gmail', 'POST', `${me}/labels`, options).catch(async (error: unknown) => {
      const there = at.once?.again && (await listLabels(session)).find(({ name }) => name === draft.name)
      if (there && !isSystem(there)) return read(session, there.id)
      throw refusal(error)
    })
    return fromLabel({ messagesTotal: 0, messagesUnread: 0, type: 'user', ...label }, session.grant.id)
  },

  async update(session, at, change) {
    checkName(change.name)
    const known = await read(session, at.folder_id)
    const body = bodyOf(change, known)
    if (Object.keys(body).length === 0) return fromLabel(known, session.grant.id)
    refuseSystem(known, 'changed')
    const work = () =>
      session.call('gmail', 'PATCH', pathOf(at.folder_id), { query: { fields }, body, read: gmailLabel })
    const label = await orNotFound('folder', work).catch((error: unknown) => {
      throw refusal(error)
    })
    return fromLabel({ ...known, ...label }, session.grant.id)
  },

  async delete(session, at) {
    refuseSystem(await read(session, at.folder_id), 'deleted')
    await orNotFound('folder', () => session.execute('gmail', 'DELETE', pathOf(at.folder_id)))
  },
}
