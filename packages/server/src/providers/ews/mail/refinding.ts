/** Messages that were moved have another id at Exchange: they are found by what stays with them, wherever they are. */
import { ApiError } from '../../../lib/api-error.ts'
import { FindItem, page } from '../operations/items.ts'
import { folder } from '../types/ids.ts'
import { anyOf, equals } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { freshFolders } from './folder-tree.ts'
import { type Mailbox, mailIn } from './mail-api.ts'
import { itemIdOf, keyIn, lastingName, namePaths } from './mapping/names.ts'
import { asPath, searchKey } from './mapping/properties.ts'

/** A restriction has 255 parts at most. */
const atOnce = 50
/** Of one search key there are a few messages: copies, and those that were sent to oneself. */
const perFolder = 250

/**
 * The ids of items by the lasting names of messages, in base64url. Where several messages have one name, because somebody
 * has copied it, none of them is taken for the one that is meant.
 */
export async function refind(mailbox: Mailbox, names: readonly Buffer[]): Promise<Map<string, string>> {
  const wanted = new Map(names.flatMap((name) => (keyIn(name) ? [[name.toString('base64url'), name] as const] : [])))
  const candidates = new Map<string, string[]>()
  const all = [...wanted.values()]
  for (let from = 0; from < all.length; from += atOnce) {
    for (const { name, itemId } of await withKeys(mailbox, all.slice(from, from + atOnce))) {
      if (wanted.has(name)) candidates.set(name, [...(candidates.get(name) ?? []), itemId])
    }
  }
  return new Map(
    [...candidates].flatMap(([name, [itemId, ...others]]) =>
      itemId === undefined || others.length > 0 ? [] : [[name, itemId] as const],
    ),
  )
}

async function withKeys(mailbox: Mailbox, names: readonly Buffer[]): Promise<{ name: string; itemId: string }[]> {
  const folders = (await freshFolders(mailbox)).filter(({ total }) => total !== 0)
  if (folders.length === 0) return []
  const keys = names.flatMap((name) => keyIn(name)?.toString('base64') ?? [])
  const answers = await mailbox.session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(...namePaths),
    View: page(0, perFolder),
    Restriction: anyOf(keys.map((key) => equals(asPath(searchKey), key))),
    ParentFolderIds: folders.map(({ id }) => folder(id)),
  })
  return answers.flatMap((answer) => {
    // A folder that is gone meanwhile, or closed, has nothing that is looked for.
    if (answer instanceof ApiError) return []
    return mailIn(answer.RootFolder?.Items).flatMap((found) => {
      const name = lastingName(found)?.toString('base64url')
      return name === undefined ? [] : [{ name, itemId: itemIdOf(found) }]
    })
  })
}
