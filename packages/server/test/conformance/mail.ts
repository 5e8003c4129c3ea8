/** All mail suites, for each implementation, and those for a vendor of IMAP. */
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeAttachments } from './attachments.ts'
import { describeDrafts } from './drafts.ts'
import { describeFolders } from './folders.ts'
import type { MailSubject } from './mail-subject.ts'
import { describeMessageChanges } from './message-changes.ts'
import { describeMessageCleaning } from './message-cleaning.ts'
import { describeMessageFields } from './message-fields.ts'
import { describeMessageFilters } from './message-filters.ts'
import { describeMessageMetadata } from './message-metadata.ts'
import { describeMessagePages } from './message-pages.ts'
import { describeMessages } from './messages.ts'
import { describeThreadChanges } from './thread-changes.ts'
import { describeThreads } from './threads.ts'

export function describeMail(subject: MailSubject): void {
  describeMailOfServer(subject)
  describeMessageMetadata(subject)
  describeMessageCleaning(subject)
}

/** The suites for a further server of the same protocol: metadata and cleaning do not depend on the server. */
export function describeMailOfServer(subject: MailSubject): void {
  describeMessages(subject)
  describeMessageFields(subject)
  describeMessageFilters(subject)
  describeMessagePages(subject)
  describeMessageChanges(subject)
  describeThreads(subject)
  describeThreadChanges(subject)
  describeFolders(subject)
  describeAttachments(subject)
}

/**
 * The suites that depend on the vendor: the names and roles of folders, and the drafts, moves and deletions that use
 * them. The rest is the IMAP code, which imap.test.ts covers on the same server.
 */
export function describeMailOfVendor(subject: MailSubject): void {
  describeMessages(subject)
  describeMessageChanges(subject)
  describeFolders(subject)
  describeDrafts(subject)
  describeApprovedDrafts(subject)
}
