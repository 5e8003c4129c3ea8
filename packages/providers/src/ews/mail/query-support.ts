/**
 * Detects EWS servers that ignore query strings and return everything, so that their results are not reported as
 * matches.
 */

import { randomBytes } from 'node:crypto'
import { invalidField } from '@waypost/platform/api-error'
import { RetainedValue } from '../../shared/retained-value.ts'
import { FindItem, page } from '../operations/items.ts'
import { idAnd } from '../types/shapes.ts'
import type { Mailbox } from './mail-api.ts'

/** Refuses a search in Exchange's own syntax if the server ignores it. A random word is searched once to find out. */
export async function needQueries(mailbox: Mailbox): Promise<void> {
  const ignored = mailbox.session.io.retained('query strings', () => new RetainedValue<boolean>())
  ignored.value ??= await isIgnored(mailbox)
  if (ignored.value) {
    throw invalidField(
      'search_query_native',
      'cannot be used: the server of this account searches by no words of its own',
    )
  }
}

/** Undefined if there is nothing to find. */
async function isIgnored(mailbox: Mailbox): Promise<boolean | undefined> {
  const ask = async (query?: string): Promise<boolean> => {
    const { RootFolder } = await mailbox.session.call(FindItem, {
      Traversal: 'Shallow',
      ItemShape: idAnd(),
      View: page(0, 1),
      ParentFolderIds: [mailbox.place('inbox')],
      QueryString: query,
    })
    return (RootFolder?.Items?.length ?? 0) > 0
  }
  if (await ask(`subject:"${randomBytes(16).toString('hex')}"`)) return true
  return (await ask()) ? false : undefined
}
