import type { Grant } from '@waypost/contract'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { SessionIo } from '../io.ts'
import { type ImapTraits, imapTraitsOf } from '../mail/vendors.ts'
import { Submission } from '../smtp/submission.ts'
import { type Accounts, accountsOf } from './account.ts'
import type { Entry } from './entry.ts'
import { toApiError } from './errors.ts'
import type { FolderState } from './index/folder-list.ts'
import { Mailbox } from './index/mailbox.ts'
import type { Prefetch } from './index/read-folders.ts'
import { folderPath } from './mapping/ids.ts'
import type { Fetched } from './reading/fetched.ts'

/** A session of an account: its grant, the ways out, and what this node keeps of its mailbox. */
export interface Session {
  grant: Grant
  io: SessionIo
  mailbox: Mailbox
  /** The connections to the server that the account sends by. */
  submission: Submission
  accounts: ReachAccounts
  /** Whether what comes about events is for the service to read: the account has calendars, and their server reads no mail. */
  readsItip?(): Promise<boolean>
  /** How the account's IMAP server differs from others. */
  traits: ImapTraits | undefined
  /** What was read of a page while the folders were looked at. */
  prefetched?: ReadonlyMap<Entry, Fetched> | undefined
}

/** The servers of an account, with what lets it in: asked for when a connection is opened, and not held between. */
export type ReachAccounts = () => Promise<Accounts>

export const open = (grant: Grant, io: SessionIo): Session =>
  openSession(
    grant,
    io,
    async () => accountsOf(grant.settings, io.credentials()),
    imapTraitsOf(String(grant.settings.imap_host)),
  )

/** Opens a session at the servers of an account, wherever those and its credentials come from. */
export function openSession(
  grant: Grant,
  io: SessionIo,
  accounts: ReachAccounts,
  traits?: ImapTraits | undefined,
): Session {
  const { mailbox, submission } = io.kept('mailbox', (forget) => {
    const submission = new Submission({
      account: async () => (await accounts()).smtp,
      ways: { connect: io.connect, secure: io.secure },
    })
    const mailbox = new Mailbox({
      account: async () => (await accounts()).imap,
      ways: { resolve: io.resolve, secure: io.secure },
      traits,
      forget: () => {
        submission.retire()
        forget()
      },
    })
    return {
      mailbox,
      submission,
      async [Symbol.asyncDispose]() {
        submission.retire()
        await mailbox[Symbol.asyncDispose]()
      },
    }
  })
  return { grant, io, mailbox, submission, accounts, traits }
}

/** Runs an operation and says what went wrong in the words of the API. */
export async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toApiError(error)
  }
}

/** Wraps the operations of a resource so that every failure of theirs is one of the API. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every shape pass through unchanged
export function allWithApiErrors<Ops extends Record<string, (...args: any[]) => Promise<unknown>>>(
  operations: Ops,
): Ops {
  const entries = Object.entries(operations).map(
    ([name, operation]) => [name, (...args: unknown[]) => withApiErrors(() => operation(...args))] as const,
  )
  return Object.fromEntries(entries) as Ops
}

/** The folders as they are now. */
export const refreshFolders = ({ mailbox, io }: Session, prefetch?: Prefetch): Promise<FolderState[]> =>
  mailbox.readFolders(io.signal, prefetch)

/** The folder that an id names; its path is taken too. */
export function findFolder(folders: readonly FolderState[], id: string): FolderState | undefined {
  const named = (path: string): FolderState | undefined =>
    folders.find((folder) => folder.path === path || (isInbox(path) && isInbox(folder.path)))
  return named(folderPath(id)) ?? named(id)
}

const isInbox = (path: string): boolean => path.toUpperCase() === 'INBOX'

export function needFolder(folders: readonly FolderState[], id: string): FolderState {
  const folder = findFolder(folders, id)
  if (!folder) throw new ApiError('not_found', 'no folder with this id')
  return folder
}

/** The folder that a filter or a change names: a wrong one is a mistake in the request. */
export function folderOf(folders: readonly FolderState[], id: string, field: string): FolderState {
  const folder = findFolder(folders, id)
  if (!folder) throw invalidField(field, 'is not the id of a folder of this account: see GET …/folders')
  return folder
}
