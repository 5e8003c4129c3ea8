/** The special uses of folders that every mailbox has. */
import { wellKnownIds as readIds, type WellKnownIds } from '../well-known-folders.ts'
import type { Mailbox } from './mail-api.ts'
import { archiveRank, type MailFolder, uses } from './mapping/folder.ts'

export const wellKnownIds = ({ session, sharedFrom }: Mailbox): Promise<WellKnownIds> => readIds(session, sharedFrom)

/**
 * The special-use attributes of folders by id. Servers do not report the archive: it is a folder at the top with its
 * name.
 */
export function attributesOf(ids: WellKnownIds, folders: readonly MailFolder[]): Map<string, string> {
  const known = Object.entries(uses).flatMap(([name, use]): [string, string][] => {
    const id = ids.get(name as keyof typeof uses)
    return id === undefined ? [] : [[id, use]]
  })
  const root = ids.get('msgfolderroot')
  const [archive] = folders
    .filter(
      ({ id, parentId, name }) => parentId === root && archiveRank(name) >= 0 && !known.some(([own]) => own === id),
    )
    .sort((a, b) => archiveRank(a.name) - archiveRank(b.name))
  return new Map([...known, ...(archive ? [[archive.id, '\\Archive'] as const] : [])])
}
