// SyncFolderItems: the changes in a folder, newest item first.
import type { EwsCall, ItemShape } from '../model.ts'
import { itemXml, readItemShape } from '../shapes/item-shape.ts'
import { answerOne } from '../soap/answers.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { folderIn } from '../store/lookup.ts'
import type { RemovedEntry, StoredFolder, StoredItem } from '../store/stored.ts'
import { childOf, textOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { createSeen, type Seen } from './seen.ts'
import { invalidState, readState, writeState } from './state.ts'

const MAX = 512

export function syncFolderItems(call: EwsCall): Promise<Xml> {
  const shape = readItemShape(call, childOf(call.request, 'ItemShape'))
  return answerOne(call, () => {
    const folder = folderIn(call, childOf(call.request, 'SyncFolderId'))
    if (folder === undefined) throw schemaViolation("The element 'SyncFolderId' is missing.")
    if (folder.element === 'SearchFolder') {
      throw new EwsError('ErrorInvalidOperation', 'SyncFolderItems is not valid for a search folder.')
    }
    return sync(call, folder, shape)
  })
}

function sync(call: EwsCall, folder: StoredFolder, shape: ItemShape): Xml[] {
  const { mailbox } = folder
  const about = { mailbox: mailbox.id, of: folder.id, epoch: call.world.syncEpoch() }
  const before = readState(textOf(call.request, 'SyncState'), about)
  const seen = createSeen(before)
  if (before.length > 0 && !seen.has(folder.forgotten) && folder.forgotten > 0) throw invalidState()
  const changes = changesOf(folder, seen, ignored(call), wantsAssociated(call))
  const reported = changes.slice(0, maxChanges(call))
  const isLast = reported.length === changes.length
  const written = reported.map((change) => changeXml(call, change, shape))
  for (const change of reported) for (const number of change.numbers) seen.add(number)
  // After the last page, all changes up to now count as reported.
  const ranges = isLast ? ([[0, mailbox.lastChange()]] as const) : seen.ranges()
  return [
    element('m:SyncState', writeState({ ...about, seen: ranges })),
    element('m:IncludesLastItemInRange', isLast),
    element('m:Changes', written),
  ]
}

/** A change to report, and the change numbers it covers. */
type Change = { readonly numbers: readonly number[] } & (
  | { readonly kind: 'Create' | 'Update' | 'ReadFlagChange'; readonly item: StoredItem }
  | { readonly kind: 'Delete'; readonly entry: RemovedEntry }
)

/** Changed items, newest first, then deleted items, then changes of only the read flag. */
function changesOf(folder: StoredFolder, seen: Seen, without: ReadonlySet<string>, associated: boolean): Change[] {
  const isKnown = (created: number) => seen.has(created)
  const items = [...folder.items.values()]
    .filter((item) => (associated || !item.isAssociated) && !without.has(item.id))
    .toSorted((left, right) => right.receivedAt - left.receivedAt || right.created - left.created)
  const whole = items
    .filter(({ changed }) => !seen.has(changed))
    .map((item): Change => {
      const kind = isKnown(item.created) ? 'Update' : 'Create'
      return { kind, item, numbers: [item.created, item.changed, item.readChanged] }
    })
  const gone = folder.removed
    .filter(({ id, removed, created }) => !seen.has(removed) && isKnown(created) && !without.has(id))
    .map((entry): Change => ({ kind: 'Delete', entry, numbers: [entry.removed] }))
  const marked = items
    .filter(({ changed, readChanged }) => seen.has(changed) && !seen.has(readChanged))
    .map((item): Change => ({ kind: 'ReadFlagChange', item, numbers: [item.readChanged] }))
  return [...whole, ...gone, ...marked]
}

function changeXml(call: EwsCall, change: Change, shape: ItemShape): Xml {
  if (change.kind === 'Delete') return element('t:Delete', [element('t:ItemId', { Id: change.entry.id })])
  const { item, kind } = change
  if (kind !== 'ReadFlagChange') return element(`t:${kind}`, [itemXml(call, item, shape, { found: true })])
  const id = element('t:ItemId', { Id: item.id, ChangeKey: item.changeKey })
  return element('t:ReadFlagChange', [id, element('t:IsRead', item.isRead)])
}

function maxChanges({ request }: EwsCall): number {
  const max = Number(textOf(request, 'MaxChangesReturned'))
  if (Number.isInteger(max) && max >= 1 && max <= MAX) return max
  throw schemaViolation(`The 'MaxChangesReturned' element is invalid: it is 1 to ${MAX}.`)
}

/** The items that the client wants to ignore. */
function ignored({ request }: EwsCall): ReadonlySet<string> {
  return new Set(childOf(request, 'Ignore')?.children.map(({ attributes }) => attributes.Id ?? ''))
}

/** Whether the request includes the hidden items of the folder. */
function wantsAssociated({ request }: EwsCall): boolean {
  return textOf(request, 'SyncScope') === 'NormalAndAssociatedItems'
}
