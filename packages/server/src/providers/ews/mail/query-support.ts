/** Servers that speak EWS and know nothing of query strings answer with everything: what they would find is not told as found. */
import { randomBytes } from 'node:crypto'
import { invalidField } from '../../../lib/api-error.ts'
import { FindItem, page } from '../operations/items.ts'
import { idAnd } from '../types/shapes.ts'
import type { Mailbox } from './mail-api.ts'

class KnownSupport implements AsyncDisposable {
  isIgnored: boolean | undefined

  async [Symbol.asyncDispose](): Promise<void> {
    this.isIgnored = undefined
  }
}

/** Refuses a search in Exchange's own words where the server takes no note of it. What nobody wrote is looked for once. */
export async function needQueries(mailbox: Mailbox): Promise<void> {
  const support = mailbox.session.io.kept('query strings', () => new KnownSupport())
  support.isIgnored ??= await isIgnored(mailbox)
  if (support.isIgnored) {
    throw invalidField(
      'search_query_native',
      'cannot be used: the server of this account searches by no words of its own',
    )
  }
}

/** Undefined where there is nothing that could be found. */
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
