/** What accounts at Yahoo do not have: what other mailboxes at IMAP servers do not have either. */
export { contactMaxima, limits } from '../imap/limits.ts'
