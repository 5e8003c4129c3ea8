import type { Grant } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { SessionIo } from '../io.ts'
import { type ImapTraits, imapTraitsOf } from '../mail/vendors.ts'
import { notFound } from '../shared/named-objects.ts'
import { Submission } from '../smtp/submission.ts'
import { type Accounts, accountsOf } from './account.ts'
import type { Entry, Fetched } from './entry.ts'
import { toApiError } from './errors.ts'
import type { FolderState } from './folder-state.ts'
import { Mailbox } from './index/mailbox.ts'
import type { Prefetch } from './index/read-folders.ts'
import { folderPath } from './mapping/ids.ts'

/** A session of an account: its grant, its network access, and the cached state of its mailbox. */
export interface Session {
  grant: Grant
  io: SessionIo
  mailbox: Mailbox
  /** The SMTP connections of the account. */
  submission: Submission
  accounts: ReachAccounts
  /** Whether Waypost processes calendar objects in mail: the account has calendars, and their server does not. */
  readsItip?(): Promise<boolean>
  /** Traits of the IMAP server. */
  traits: ImapTraits | undefined
  /** Prefetched messages of the page. */
  prefetched?: ReadonlyMap<Entry, Fetched> | undefined
}

/** The servers of an account with credentials; loaded when a connection opens and not stored in the session. */
export type ReachAccounts = () => Promise<Accounts>

export const open = (grant: Grant, io: SessionIo): Session =>
  openSession(
    grant,
    io,
    async () => accountsOf(grant.settings, io.credentials()),
    imapTraitsOf(String(grant.settings.imap_host)),
  )

/** Opens a session for an account, regardless of the source of its servers and credentials. */
export function openSession(
  grant: Grant,
  io: SessionIo,
  accounts: ReachAccounts,
  traits?: ImapTraits | undefined,
): Session {
  const { mailbox, submission } = io.retained('mailbox', (forget) => {
    const submission = new Submission({
      account: async () => (await accounts()).smtp,
      network: { connect: io.connect, secure: io.secure },
    })
    const mailbox = new Mailbox({
      account: async () => (await accounts()).imap,
      network: { resolve: io.resolve, secure: io.secure },
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

/** Runs an operation and maps its failures to API errors. */
export async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toApiError(error)
  }
}

/** Maps the failures of all operations of a mailbox to API errors. Their commands are not counted as calls. */
// biome-ignore lint/suspicious/noExplicitAny: operations of every shape pass through unchanged
export function allWithApiErrors<Ops extends Record<string, (session: Session, ...args: any[]) => Promise<unknown>>>(
  operations: Ops,
): Ops {
  const entries = Object.entries(operations).map(([name, operation]) => {
    const counted = (session: Session, ...args: unknown[]): Promise<unknown> => {
      session.io.calls?.leaveOut()
      return withApiErrors(() => operation(session, ...args))
    }
    return [name, counted] as const
  })
  return Object.fromEntries(entries) as Ops
}

export const refreshFolders = ({ mailbox, io }: Session, prefetch?: Prefetch): Promise<FolderState[]> =>
  mailbox.readFolders(io.signal, prefetch)

/** The folder with this id; a path is accepted too. */
export function findFolder(folders: readonly FolderState[], id: string): FolderState | undefined {
  const named = (path: string): FolderState | undefined =>
    folders.find((folder) => folder.path === path || (isInbox(path) && isInbox(folder.path)))
  return named(folderPath(id)) ?? named(id)
}

const isInbox = (path: string): boolean => path.toUpperCase() === 'INBOX'

export function needFolder(folders: readonly FolderState[], id: string): FolderState {
  const folder = findFolder(folders, id)
  if (!folder) throw notFound('folder')
  return folder
}

/** The folder named in a filter or change; an unknown one makes the request invalid. */
export function folderOf(folders: readonly FolderState[], id: string, field: string): FolderState {
  const folder = findFolder(folders, id)
  if (!folder) throw invalidField(field, 'is not the id of a folder of this account: see GET …/folders')
  return folder
}
