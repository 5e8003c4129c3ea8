/** What accounts at Yahoo do not have: what other mailboxes at IMAP servers do not have either. */
export { limits } from '../imap/limits.ts'
