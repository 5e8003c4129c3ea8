/**
 * A look at the folders of an account, and what is asked for beside it, in one way to the server and back.
 *
 * Of the folder that is selected a server tells what it told before, until it is asked to catch up (NOOP). To wait for that
 * before the look would be a way there and back for nothing, nearly always: so the look, what is asked for beside it and the
 * NOOP are written together, and the look counts if the server tells no news of the folder until all three are answered.
 * Else the folders are looked at once more, and what was read beside the first look is dropped.
 */
import type { ImapFlow } from 'imapflow'
import { checkOpen } from '../connections/command.ts'
import { pipelined } from '../connections/pipelining.ts'
import { isFetching } from '../reading/fast-responses.ts'
import type { Response } from '../reading/response-parser.ts'
import { type FolderState, listFolders } from './directory.ts'

/** What is asked of a folder beside a look, on the connection that has it selected. */
export interface Beside {
  path: string
  /** The messages that it asks for. */
  uids: ReadonlySet<number>
  /** Its failures are its own. */
  run(client: ImapFlow): Promise<void>
  /** Keeps what it read. Called only where that is no older than the folder's state in the look. */
  keep(state: FolderState): void
}

/** The folders as they are now; a folder that is selected has been caught up with. */
export async function lookAtFolders(client: ImapFlow, beside?: Beside): Promise<FolderState[]> {
  const { mailbox } = client
  if (!mailbox) return listFolders(client)
  const asked = mailbox.path === beside?.path ? beside : undefined
  const hearing = hearNews(client, asked?.uids)
  try {
    const [listing, ...others] = pipelined(client, () => [
      listFolders(client),
      asked?.run(client),
      client.noop().catch(() => false),
    ])
    const folders = await listing
    await Promise.all(others)
    checkOpen(client)
    if (!hearing.isNews) {
      const state = folders.find(({ path }) => path === asked?.path)
      if (state) asked?.keep(state)
      return folders
    }
  } finally {
    hearing.end()
  }
  return listFolders(client)
}

/** What is used of imapflow's insides. */
interface Inside {
  handleResponse?(response: Response): Promise<boolean>
}

interface Hearing {
  /** Whether the server told that something in the selected folder is not as it was. */
  readonly isNews: boolean
  end(): void
}

function hearNews(client: ImapFlow, asked: ReadonlySet<number> | undefined): Hearing {
  const inside = client as unknown as Inside
  const handle = inside.handleResponse
  // Who cannot be overheard may have told anything.
  if (!handle) return { isNews: true, end: () => undefined }
  let isNews = false
  inside.handleResponse = (response) => {
    isNews ||= tellsNews(client, response, asked)
    return handle.call(client, response)
  }
  return {
    get isNews() {
      return isNews
    },
    end: () => {
      inside.handleResponse = handle
    },
  }
}

const told = /^\* (?:(\d{1,10}) )?(EXISTS|EXPUNGE|FETCH|VANISHED)\b/i
const uid = /[ (]UID (\d{1,10})[ )]/i

function tellsNews(client: ImapFlow, { payload }: Response, asked: ReadonlySet<number> | undefined): boolean {
  const { mailbox } = client
  const text = payload.toString('latin1', 0, 1_000)
  const [, number, kind] = told.exec(text) ?? []
  if (kind === undefined) return false
  // Some tell how many there are without being asked, and that nothing changed.
  if (/exists/i.test(kind)) return !mailbox || mailbox.exists !== Number(number)
  // The fetch that is under way takes new marks of the messages that it asks for. After it they are news.
  return !(/fetch/i.test(kind) && isFetching(client) && asked?.has(Number(uid.exec(text)?.[1])))
}
