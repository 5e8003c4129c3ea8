// The permissions that mail methods require; any one suffices.
export const READ_BASIC = ['Mail.Read', 'Mail.ReadWrite', 'Mail.ReadBasic']
export const READ = ['Mail.Read', 'Mail.ReadWrite']
export const WRITE = ['Mail.ReadWrite']
export const SEND = ['Mail.Send']
export const settings = ['MailboxSettings.Read', 'MailboxSettings.ReadWrite']
