// UpdateItem.

import type { EwsCall, Field, IndexedPath } from '../model.ts'
import { setExtended } from '../shapes/extended-fields.ts'
import { itemIdOnlyXml, readPaths } from '../shapes/item-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { itemOf } from '../store/lookup.ts'
import type { StoredItem } from '../store/stored.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { checkConflict, rememberEdit } from './change-keys.ts'
import { isSentAway } from './sent-away.ts'
import { notSettable, setField } from './writing.ts'

const resolutions = ['NeverOverwrite', 'AutoResolve', 'AlwaysOverwrite']
/** The read flag is not part of the content. */
const READ = 'message:IsRead'

export function updateItem(call: EwsCall): Promise<Xml> {
  const resolution = call.request.attributes.ConflictResolution ?? ''
  if (!resolutions.includes(resolution))
    throw schemaViolation("The required attribute 'ConflictResolution' is missing.")
  return answerEach(call, childOf(call.request, 'ItemChanges')?.children ?? [], (change) => {
    const id = change.children.find(({ name }) => name.endsWith('ItemId'))
    if (id === undefined) throw schemaViolation("The element 'ItemId' is missing.")
    const item = itemOf(call, id, 'write')
    const updates = (childOf(change, 'Updates')?.children ?? []).map((node) => readUpdate(call, item, node))
    const paths = new Set(updates.map(({ path }) => path))
    checkConflict(item, id.attributes.ChangeKey, { resolution, paths: paths.difference(new Set([READ])) })
    apply(call, item, updates)
    const shown = isSentAway(call, item) ? [] : [itemIdOnlyXml(item)]
    return [element('m:Items', shown), element('m:ConflictResults', [element('t:Count', 0)])]
  })
}

interface Update {
  /** The URI of a field, or the key of an extended property. */
  readonly path: string
  run(call: EwsCall, item: StoredItem): void
}

function readUpdate({ world }: EwsCall, item: StoredItem, node: XmlNode): Update {
  const [pathNode, ...rest] = node.children
  if (pathNode === undefined) throw schemaViolation(`The element '${node.name}' has incomplete content.`)
  const { uris, indexed, extended } = readPaths({ ...node, children: [pathNode] })
  const written = rest[0]?.children ?? []
  if (node.name !== 'DeleteItemField' && written.length !== 1) {
    throw new EwsError('ErrorIncorrectUpdatePropertyCount', 'Each change must set exactly one property.')
  }
  const [property] = extended
  if (property !== undefined) {
    const { key } = property
    if (node.name === 'DeleteItemField') return { path: key, run: (_call, of) => setExtended(of, key, undefined) }
    if (node.name === 'AppendToItemField') throw cannotAppend(key)
    return { path: key, run: (call, of) => setWritten(call, of, written[0]) }
  }
  const entry = indexed[0]
  const uri = entry?.uri ?? [...uris][0] ?? ''
  const field = world.registry.typeOf(item).fields.find((each) => each.uri === uri || each.indexedUris?.includes(uri))
  if (field === undefined) {
    throw new EwsError('ErrorInvalidPropertyRequest', 'Property is not valid for this object type.')
  }
  const path = entry === undefined ? uri : `${uri} ${entry.index}`
  return { path, run: (call, of) => runUpdate(call, of, { kind: node.name, field, entry, written: written[0] }) }
}

interface FieldUpdate {
  readonly kind: string
  readonly field: Field
  readonly entry: IndexedPath | undefined
  readonly written: XmlNode | undefined
}

function runUpdate(call: EwsCall, item: StoredItem, { kind, field, entry, written }: FieldUpdate): void {
  if (kind === 'DeleteItemField') {
    if (field.remove === undefined) {
      throw new EwsError('ErrorInvalidPropertyDelete', `Delete action is invalid for property ${field.uri}.`)
    }
    field.remove(item, { call, entry })
    return
  }
  if (written?.name !== field.name) {
    throw new EwsError('ErrorUpdatePropertyMismatch', 'The property that is set is not the one that is named.')
  }
  if (kind === 'AppendToItemField') {
    if (field.append === undefined) throw cannotAppend(field.uri)
    field.append(item, written, { call, entry })
    return
  }
  if (field.set === undefined && field.name !== 'ItemClass') throw notSettable(field.uri)
  setField(call, item, written, entry)
}

function setWritten(call: EwsCall, item: StoredItem, written: XmlNode | undefined): void {
  if (written?.name !== 'ExtendedProperty') {
    throw new EwsError('ErrorUpdatePropertyMismatch', 'The property that is set is not the one that is named.')
  }
  setField(call, item, written)
}

const cannotAppend = (path: string): EwsError =>
  new EwsError('ErrorInvalidPropertyAppend', `Append action is invalid for property ${path}.`)

/** Applies all updates of an item, or none. */
function apply(call: EwsCall, item: StoredItem, updates: readonly Update[]): void {
  const before = {
    content: item.type.copyContent(item.content),
    itemClass: item.itemClass,
    isRead: item.isRead,
    extended: new Map(item.extended),
    receivedAt: item.receivedAt,
    changeKey: item.changeKey,
  }
  const uris = new Set(updates.map(({ path }) => path)).difference(new Set([READ]))
  const type = call.world.registry.typeOf(item)
  try {
    for (const { run } of updates) run(call, item)
    const { isRead } = item
    item.isRead = before.isRead
    item.mailbox.changeRead(item, isRead)
    if (isRead !== before.isRead) call.world.registry.typeOf(item).markedRead?.(call, item)
    if (uris.size > 0) rememberEdit(item, { before: before.changeKey, paths: uris })
    if (type.updated !== undefined) type.updated(call, item, uris, before.content)
    else if (uris.size > 0) item.mailbox.change(item)
  } catch (error) {
    item.extended.clear()
    for (const [key, value] of before.extended) item.extended.set(key, value)
    Object.assign(item, { content: before.content, itemClass: before.itemClass, isRead: before.isRead })
    throw error
  }
}
