// Parses the item shape of a request, and writes items in it.

import type { BaseShape, EwsCall, Field, IndexedPath, ItemShape, Paths, ShapeName } from '../model.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import { type ExtendedPath, extendedPath, extendedXml } from '../store/extended.ts'
import type { StoredItem } from '../store/stored.ts'
import { ordered } from '../xml/order.ts'
import { childOf, isTrue, textOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { extendedValue } from './extended-fields.ts'

/** Parses an `ItemShape` element. */
export function readItemShape(call: EwsCall, node: XmlNode | undefined): ItemShape {
  return {
    ...readPaths(childOf(node, 'AdditionalProperties'), fieldVersions(call)),
    base: readBaseShape(node),
    includeMimeContent: isTrue(node, 'IncludeMimeContent'),
    bodyType: (textOf(node, 'BodyType') ?? 'Best') as ItemShape['bodyType'],
    node,
  }
}

/** A check that rejects fields not supported by the server or the requested schema. */
function fieldVersions(call: EwsCall): (uri: string) => void {
  const fields = call.world.registry.itemTypes.flatMap((type) => type.fields)
  return (uri) => {
    const since = fields.find((field) => field.uri === uri)?.since ?? 'Exchange2007'
    if (!isSince(call.world.server.schema, since)) {
      throw schemaViolation(
        `The 'FieldURI' attribute is invalid - The value '${uri}' is invalid according to its datatype.`,
      )
    }
    if (isSince(call.schema, since)) return
    throw new EwsError(
      'ErrorInvalidPropertyRequest',
      'The property is not supported in the requested version of the schema.',
    )
  }
}

export function readBaseShape(node: XmlNode | undefined): BaseShape {
  const base = textOf(node, 'BaseShape')
  if (base === 'IdOnly' || base === 'Default' || base === 'AllProperties') return base
  throw schemaViolation(
    `The 'BaseShape' element is invalid - The value '${base ?? ''}' is invalid according to its datatype.`,
  )
}

export function readPaths(node: XmlNode | undefined, check: (uri: string) => void = () => {}): Paths {
  const uris = new Set<string>()
  const indexed: IndexedPath[] = []
  const extended: ExtendedPath[] = []
  for (const path of node?.children ?? []) {
    const { FieldURI: uri = '', FieldIndex: index = '' } = path.attributes
    if (path.name === 'FieldURI') {
      check(uri)
      uris.add(uri)
    } else if (path.name === 'IndexedFieldURI') indexed.push({ uri, index })
    else if (path.name === 'ExtendedFieldURI') extended.push(extendedPath(path))
    else throw schemaViolation(`The element '${path.name}' is not expected.`)
  }
  return { uris, indexed, extended }
}

const rank: Readonly<Record<ShapeName, number>> = { IdOnly: 0, Default: 1, AllProperties: 2, asked: 3 }

/** Whether a base shape contains a field; larger shapes include smaller ones. */
export const isInShape = (shape: ShapeName, base: BaseShape): boolean => rank[shape] <= rank[base]

/** `<t:Message>` with the fields of the shape. `found` is for `FindItem` and `SyncFolderItems`, which return less. */
export function itemXml(
  call: EwsCall,
  item: StoredItem,
  shape: ItemShape,
  { found = false }: { found?: boolean } = {},
): Xml {
  const elements: Xml[] = []
  for (const field of call.world.registry.typeOf(item).fields) {
    const entries = wantedEntries(field, shape, call)
    if (entries === undefined || (found && field.onlyGet === true)) continue
    const context = { call, shape, found, entries: entries === 'all' ? undefined : entries }
    const written = field.write(item, context)
    if (written !== undefined) elements.push(written)
  }
  for (const path of shape.extended) {
    const value = extendedValue(item, path.key)
    if (value !== undefined) elements.push(extendedXml(path, value))
  }
  return element(`t:${item.type.element}`, ordered(item.type.element, elements))
}

/** Whether a field is requested: not at all, completely, or some of its entries. */
function wantedEntries(field: Field, shape: ItemShape, call: EwsCall): 'all' | readonly IndexedPath[] | undefined {
  if (shape.uris.has(field.uri)) return 'all'
  if (field.uri === 'item:MimeContent' && shape.includeMimeContent) return 'all'
  if (isInShape(field.shape, shape.base) && isSince(call.schema, field.since ?? 'Exchange2007')) return 'all'
  const entries = shape.indexed.filter(({ uri }) => field.indexedUris?.includes(uri))
  return entries.length > 0 ? entries : undefined
}

/** `<t:ItemId>` of an item. */
export const itemIdXml = ({ id, changeKey }: StoredItem): Xml => element('t:ItemId', { Id: id, ChangeKey: changeKey })

/** An item with only its id, for responses of changes. */
export const itemIdOnlyXml = (item: StoredItem): Xml => element(`t:${item.type.element}`, [itemIdXml(item)])
