// FindItem: the rows of each requested folder.
import { parseKeywordQuery, QuerySyntaxError, type SearchedMessage } from '../../shared/mail/keyword-query.ts'
import { itemProperties } from '../find/properties.ts'
import { readRestriction, type Test } from '../find/restriction.ts'
import { type Order, readSortOrder } from '../find/sort.ts'
import { emptyText } from '../mail/content.ts'
import type { EwsCall } from '../model.ts'
import { itemXml, readItemShape } from '../shapes/item-shape.ts'
import { type PageView, pageOf, readPageView } from '../shapes/paging.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, invalidRequest, schemaViolation } from '../soap/errors.ts'
import { isSince } from '../soap/versions.ts'
import { folderOf } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

const maxRows = 1000
/** The limit of rows for searches, since 2013. */
const maxSearched = 250

export function findItem(call: EwsCall): Promise<Xml> {
  const { request } = call
  const shape = readItemShape(call, childOf(request, 'ItemShape'))
  const search = readSearch(call)
  return answerEach(call, childOf(request, 'ParentFolderIds')?.children ?? [], (id) => {
    const folder = folderOf(call, id)
    const { rows, attributes } = search.run(folder)
    const items = rows.map((item) => itemXml(call, item, shape, { found: true }))
    return [element('m:RootFolder', attributes, [element('t:Items', items)])]
  })
}

interface Found {
  readonly rows: readonly StoredItem[]
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

interface Search {
  run(folder: StoredFolder): Found
}

function readSearch(call: EwsCall): Search {
  const { request, world } = call
  const own = request.children.find(({ name }) => Object.hasOwn(world.registry.views, name))
  const view = own && world.registry.views[own.name]
  if (own !== undefined && view !== undefined) return viewSearch(call, own, (folder) => view(call, folder, own))
  if (childOf(request, 'GroupBy') !== undefined || childOf(request, 'DistinguishedGroupBy') !== undefined) {
    throw invalidRequest('Rows are not grouped by this simulator.')
  }
  const properties = itemProperties(call)
  const restriction = childOf(request, 'Restriction')
  const query = childOf(request, 'QueryString')
  if (restriction !== undefined && query !== undefined) {
    throw invalidRequest('A restriction and a query string cannot be used together.')
  }
  const order = childOf(request, 'SortOrder')
  const max =
    (restriction ?? query) !== undefined && isSince(world.server.schema, 'Exchange2013') ? maxSearched : maxRows
  return {
    // An invalid restriction is reported separately for each folder.
    run(folder) {
      const test = testOf(call, restriction && readRestriction(restriction, properties), query)
      const compare = order === undefined ? newestFirst : readSortOrder(order, properties)
      const rows = rowsOf(call, folder).filter(test).toSorted(withTies(compare))
      // A query string returns at most this many rows in total, over all pages.
      const seen = query === undefined ? rows : rows.slice(0, max)
      const view = viewOf(request, seen, properties)
      const isStalled = world.oddities.stallsPages === true && view.start(seen.length).from > 0
      return isStalled ? stalledPage(seen.length) : pageOf(seen, view, max)
    },
  }
}

const stalledPage = (total: number): Found => ({
  rows: [],
  attributes: { IndexedPagingOffset: 0, TotalItemsInView: total, IncludesLastItemInRange: false },
})

/** A view such as `CalendarView` supports neither restrictions nor orders nor pages. */
function viewSearch({ request }: EwsCall, own: XmlNode, rowsIn: (folder: StoredFolder) => StoredItem[]): Search {
  if (['Restriction', 'SortOrder', 'QueryString'].some((name) => childOf(request, name) !== undefined)) {
    throw invalidRequest('A view of its own takes no restriction and no order.')
  }
  return {
    run(folder) {
      const all = rowsIn(folder)
      const rows = all.slice(0, Number(own.attributes.MaxEntriesReturned ?? all.length))
      const IncludesLastItemInRange = rows.length === all.length
      return { rows, attributes: { TotalItemsInView: all.length, IncludesLastItemInRange } }
    },
  }
}

function testOf(
  call: EwsCall,
  restriction: Test<StoredItem> | undefined,
  query: XmlNode | undefined,
): Test<StoredItem> {
  if (restriction !== undefined) return restriction
  if (query === undefined || query.text.trim() === '') return () => true
  try {
    const matches = parseKeywordQuery(query.text, { byBeginnings: true, now: call.world.now() })
    return (item) => matches(searched(call, item))
  } catch (error) {
    if (error instanceof QuerySyntaxError) throw new EwsError('ErrorInvalidArgument', error.message)
    throw error
  }
}

function searched({ world }: EwsCall, item: StoredItem): SearchedMessage {
  const type = world.registry.typeOf(item)
  if (type.searched !== undefined) return type.searched(item)
  const subject = type.fields.find(({ uri }) => uri === 'item:Subject')?.value?.(item)
  return {
    content: { ...emptyText, subject: String(subject ?? '') },
    attachments: [],
    isRead: item.isRead,
    isFlagged: false,
    categories: [],
    receivedAt: item.receivedAt,
    size: 0,
    kind: item.type.element.toLowerCase(),
  }
}

const newestFirst: Order<StoredItem> = (left, right) => right.receivedAt - left.receivedAt

const withTies =
  (order: Order<StoredItem>): Order<StoredItem> =>
  (left, right) =>
    order(left, right) || right.number - left.number

function rowsOf({ request }: EwsCall, folder: StoredFolder): StoredItem[] {
  switch (request.attributes.Traversal) {
    case 'Shallow':
      return itemsIn(folder).filter(({ isAssociated }) => !isAssociated)
    case 'Associated':
      return itemsIn(folder).filter(({ isAssociated }) => isAssociated)
    case 'SoftDeleted':
      return []
    default:
      throw schemaViolation("The required attribute 'Traversal' is missing.")
  }
}

/** The search folder AllItems contains the items of all folders below the root. */
function itemsIn(folder: StoredFolder): StoredItem[] {
  if (folder.element !== 'SearchFolder') return [...folder.items.values()]
  if (folder.displayName !== 'AllItems') return []
  const { folders } = folder.mailbox
  return folders.descendants(folders.standard('msgfolderroot')).flatMap(({ items }) => [...items.values()])
}

/** A seek view starts at the first row that matches its condition. */
function viewOf(
  request: XmlNode,
  rows: readonly StoredItem[],
  properties: ReturnType<typeof itemProperties>,
): PageView {
  const seeking = childOf(request, 'SeekToConditionPageItemView')
  const condition = childOf(seeking, 'Condition')
  if (seeking === undefined || condition === undefined) return readPageView(request, 'Item')
  const holds = readRestriction(condition, properties)
  const found = rows.findIndex(holds)
  const max = Number(seeking.attributes.MaxEntriesReturned ?? Number.POSITIVE_INFINITY)
  return { max, isFractional: false, start: () => ({ from: found < 0 ? rows.length : found, isFromEnd: false }) }
}
