/** Finds moved messages, which have another id at Exchange, by their lasting names in any folder. */

import { ApiError } from '@waypost/platform/api-error'
import { timeText } from '../../mail/exchange/mapping.ts'
import { FindItem, page } from '../operations/items.ts'
import { folder } from '../types/ids.ts'
import { property } from '../types/paths.ts'
import { anyOf, compare, equals, type Restriction } from '../types/restriction.ts'
import { idAnd } from '../types/shapes.ts'
import { freshFolders } from './folder-tree.ts'
import { type Mailbox, mailIn } from './mail-api.ts'
import { dateIn, itemIdOf, keyIn, lastingName, namePaths } from './mapping/names.ts'
import { searchKey } from './mapping/properties.ts'
import { received } from './mapping/query.ts'

/** A restriction has at most 255 parts. */
const atOnce = 40
/** Servers return at most this many items of a folder. */
const perFolder = 250

interface Candidate {
  name: string
  itemId: string
}

/**
 * The item ids of messages by lasting name, in base64url. If several messages share a name because of a copy, none of
 * them is returned.
 */
export async function refind(mailbox: Mailbox, names: readonly Buffer[]): Promise<Map<string, string>> {
  const wanted = new Map(names.flatMap((name) => (keyIn(name) ? [[name.toString('base64url'), name] as const] : [])))
  const all = [...wanted.values()]
  const found: Candidate[] = []
  for (let from = 0; from < all.length; from += atOnce) {
    found.push(...(await among(mailbox, all.slice(from, from + atOnce))))
  }
  const byName = Map.groupBy(found, ({ name }) => name)
  return new Map(
    [...byName].flatMap(([name, [first, ...others]]) =>
      first === undefined || others.length > 0 || !wanted.has(name) ? [] : [[name, first.itemId] as const],
    ),
  )
}

/** Candidates by the second of their receipt, which every server can compare. */
async function among(mailbox: Mailbox, names: readonly Buffer[]): Promise<Candidate[]> {
  const dated = names.filter((name) => dateIn(name) !== undefined)
  const byDate = await search(mailbox, dated.map(inSecondOf))
  const undated = byDate.isCut ? names : names.filter((name) => dateIn(name) === undefined)
  const byKey = await search(mailbox, undated.map(withKeyOf))
  const once = new Map([...byDate.found, ...byKey.found].map((candidate) => [candidate.itemId, candidate]))
  return [...once.values()]
}

function inSecondOf(name: Buffer): Restriction {
  const date = dateIn(name) ?? 0
  const bounds = [
    compare('IsGreaterThan', received, timeText(date - 1)),
    compare('IsLessThan', received, timeText(date + 1)),
  ]
  return { kind: 'And', Parts: bounds }
}

const withKeyOf = (name: Buffer): Restriction => equals(property(searchKey), (keyIn(name) ?? name).toString('base64'))

async function search(
  mailbox: Mailbox,
  terms: readonly Restriction[],
): Promise<{ found: Candidate[]; isCut: boolean }> {
  const folders = terms.length === 0 ? [] : (await freshFolders(mailbox)).filter(({ total }) => total !== 0)
  if (folders.length === 0) return { found: [], isCut: false }
  const answers = await mailbox.session.each(FindItem, {
    Traversal: 'Shallow',
    ItemShape: idAnd(...namePaths),
    View: page(0, perFolder),
    Restriction: anyOf(terms),
    ParentFolderIds: folders.map(({ id }) => folder(id)),
  })
  // A folder that was deleted meanwhile, or is not accessible, has no matches.
  const pages = answers.flatMap((answer) => (answer instanceof ApiError ? [] : (answer.RootFolder ?? [])))
  return {
    isCut: pages.some(({ IncludesLastItemInRange: isLast }) => isLast === false),
    found: pages.flatMap(({ Items }) =>
      mailIn(Items).flatMap((item) => {
        const name = lastingName(item)?.toString('base64url')
        return name === undefined ? [] : [{ name, itemId: itemIdOf(item) }]
      }),
    ),
  }
}
