/** Features that Yahoo accounts lack: the same as other IMAP mailboxes. */
export { limits } from '../imap/limits.ts'
