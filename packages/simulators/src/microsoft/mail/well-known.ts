// The folders that every mailbox has. https://learn.microsoft.com/graph/api/resources/mailfolder

export interface WellKnownFolder {
  readonly name: string
  readonly displayName: string
  /** Undefined for the root. */
  readonly parent: string | undefined
  readonly isHidden?: boolean
}

export const WELL_KNOWN: readonly WellKnownFolder[] = [
  { name: 'root', displayName: 'Root', parent: undefined },
  { name: 'msgfolderroot', displayName: 'Top of Information Store', parent: 'root' },
  { name: 'recoverableitemsroot', displayName: 'Recoverable Items', parent: 'root' },
  { name: 'recoverableitemsdeletions', displayName: 'Deletions', parent: 'recoverableitemsroot' },
  { name: 'searchfolders', displayName: 'Finder', parent: 'root' },
  { name: 'archive', displayName: 'Archive', parent: 'msgfolderroot' },
  { name: 'clutter', displayName: 'Clutter', parent: 'msgfolderroot', isHidden: true },
  { name: 'conversationhistory', displayName: 'Conversation History', parent: 'msgfolderroot' },
  { name: 'deleteditems', displayName: 'Deleted Items', parent: 'msgfolderroot' },
  { name: 'drafts', displayName: 'Drafts', parent: 'msgfolderroot' },
  { name: 'inbox', displayName: 'Inbox', parent: 'msgfolderroot' },
  { name: 'junkemail', displayName: 'Junk Email', parent: 'msgfolderroot' },
  { name: 'outbox', displayName: 'Outbox', parent: 'msgfolderroot' },
  { name: 'scheduled', displayName: 'Scheduled', parent: 'msgfolderroot', isHidden: true },
  { name: 'sentitems', displayName: 'Sent Items', parent: 'msgfolderroot' },
  { name: 'syncissues', displayName: 'Sync Issues', parent: 'msgfolderroot', isHidden: true },
]
