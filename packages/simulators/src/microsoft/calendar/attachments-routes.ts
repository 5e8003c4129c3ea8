// `attachments` of events.
import { accessDenied, GraphError, itemNotFound } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import type { EntityType } from '../odata/entity.ts'
import { mailboxRoutes } from '../part.ts'
import { readUploadItem } from '../upload-sessions.ts'
import { attachmentJson, parseAttachment, uploadedAttachment } from './attachments.ts'
import { calendarPaths, contextOf, eventOfCall, READ, WRITE } from './calendar-call.ts'
import { changeOccurrence, changeStored } from './event-store.ts'
import { updateCopies } from './meetings.ts'
import { type Attachment, calendarState } from './state.ts'

const common = ['id', 'lastModifiedDateTime', 'name', 'contentType', 'size', 'isInline']
const ATTACHMENT: EntityType = {
  name: 'attachment',
  properties: [...common, 'contentId', 'contentLocation', 'contentBytes'],
  navigations: ['item'],
}
/** Lists omit the contents of items unless `$expand` requests them. */
const byExpand = ['item']

function optionsOf(call: GraphCall) {
  return {
    type: { ...ATTACHMENT, bySelect: byExpand },
    context: contextOf(call, `events('${encodeURIComponent(call.params.eventId ?? '')}')/attachments`),
    json: attachmentJson,
    expand: ({ item }: Attachment) => item,
  }
}

function list(call: GraphCall): GraphAnswer {
  return listAnswer(call, eventOfCall(call).item.attachments, optionsOf(call))
}

function find(call: GraphCall): Attachment {
  const attachment = eventOfCall(call).item.attachments.find(({ id }) => id === call.params.attachmentId)
  if (attachment === undefined) throw itemNotFound()
  return attachment
}

function get(call: GraphCall): GraphAnswer {
  return itemAnswer(call, find(call), optionsOf(call))
}

function getValue(call: GraphCall): GraphAnswer {
  const { type, content, contentType } = find(call)
  if (type !== 'file') throw new GraphError(400, 'ErrorInvalidRequest', 'Only file attachments have a raw value here.')
  return { bytes: content, headers: { 'content-type': contentType ?? 'application/octet-stream' } }
}

/** Replaces the attachments of an event or of one occurrence. */
function replace(call: GraphCall, attachments: readonly Attachment[]): void {
  const state = calendarState(call.world)
  const { calendar, item } = eventOfCall(call)
  const event = calendar.events.get(item.masterKey ?? item.key)
  if (event === undefined) throw itemNotFound()
  const after =
    item.date === undefined
      ? changeStored(state, calendar, { event, change: { attachments } })
      : changeOccurrence(state, calendar, { master: event, date: item.date, changes: { attachments } })
  updateCopies(state, { calendar, before: event, after, rescheduled: false, attendeesOnly: false })
}

function post(call: GraphCall): GraphAnswer {
  const attachment = parseAttachment(call.json(), call.now)
  replace(call, [...eventOfCall(call).item.attachments, attachment])
  return itemAnswer(call, attachment, optionsOf(call), 201)
}

/** A file that is too large for one request is uploaded in pieces; delegates cannot do that. */
function openSession(call: GraphCall): GraphAnswer {
  const { world, owner, caller } = call
  if (caller.account !== undefined && caller.account.oid !== owner.oid) throw accessDenied()
  eventOfCall(call)
  const json = world.uploads.open(readUploadItem(call.json()), (item, bytes) => {
    const attachment = uploadedAttachment(item, bytes, world.now())
    replace(call, [...eventOfCall(call).item.attachments, attachment])
    const place = `Events('${call.params.eventId}')/Attachments('${attachment.id}')`
    return { location: `/api/v2.0/Users('${owner.id}')/${place}` }
  })
  return { status: 201, json }
}

function remove(call: GraphCall): GraphAnswer {
  const gone = find(call)
  replace(
    call,
    eventOfCall(call).item.attachments.filter(({ id }) => id !== gone.id),
  )
  return {}
}

export const attachmentRoutes: readonly GraphRoute[] = calendarPaths.flatMap((root) => [
  ...mailboxRoutes(`GET ${root}/events/:eventId/attachments`, READ, list),
  ...mailboxRoutes(`POST ${root}/events/:eventId/attachments`, WRITE, post),
  ...mailboxRoutes(`POST ${root}/events/:eventId/attachments/createUploadSession`, WRITE, openSession),
  ...mailboxRoutes(`GET ${root}/events/:eventId/attachments/:attachmentId`, READ, get),
  ...mailboxRoutes(`GET ${root}/events/:eventId/attachments/:attachmentId/$value`, READ, getValue),
  ...mailboxRoutes(`DELETE ${root}/events/:eventId/attachments/:attachmentId`, WRITE, remove),
])
