/** From an id to the places where its message lies now. */
import { ApiError } from '../../lib/api-error.ts'
import { completeCopies, nearby } from './candidates.ts'
import type { FolderState } from './directory.ts'
import { type Group, groupEntries } from './groups.ts'
import { parseMessageId } from './mapping/ids.ts'
import { before, header, type Keys, searchUids, since } from './search.ts'
import { look, type Session } from './session.ts'

export interface Located {
  group: Group
  folders: readonly FolderState[]
}

/** Every place of a message; the index is asked first, then the server, folder by folder. */
export async function locate(session: Session, id: string): Promise<Located> {
  const name = parseMessageId(id)
  const { mailbox, io } = session
  const folders = await look(session)
  const indexes = await mailbox.renew(folders, io.signal)
  const known = mailbox.known().get(id)
  if (known) {
    const [whole] = await completeCopies(session, [known])
    return { group: whole ?? known, folders }
  }
  const search = async (keys: Keys): Promise<Group | undefined> => {
    const found = await Promise.all(
      indexes
        .filter((index) => !index.isWhole)
        .map((index) =>
          mailbox.inTurn(index.path, () =>
            mailbox.in(index.path, { signal: io.signal }, async (client) =>
              index.add(client, await searchUids(client, keys)),
            ),
          ),
        ),
    )
    return groupEntries(found.flat()).find((candidate) => candidate.id === id)
  }
  const group =
    name.kind === 'message-id'
      ? await search(header('Message-ID', name.messageId))
      : // Some servers count other sizes when they search than they tell.
        ((await search(nearby(name.date, name.size))) ?? (await search([...since(name.date), ...before(name.date)])))
  if (!group) throw new ApiError('not_found', 'no message with this id')
  return { group, folders }
}
