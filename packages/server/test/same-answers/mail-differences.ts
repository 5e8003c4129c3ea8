/** Differences of mail and folders. */
import type { Difference } from './difference.ts'

const exchange = ['microsoft', 'ews'] as const
const mailServers = ['imap', 'imap + DAV', 'icloud', 'yahoo'] as const
const mail = ['messages: *', 'message: *', 'threads: *', 'drafts: *', 'sends: *'] as const

export const mailDifferences: readonly Difference[] = [
  {
    kinds: ['google'],
    requests: mail,
    fields: ['folders'],
    where: 'messages, threads',
    what: 'Marks such as `UNREAD`, `STARRED` and `CATEGORY_PERSONAL` stand among the folders',
    why: 'Gmail keeps marks and folders as labels',
  },
  {
    kinds: exchange,
    requests: mail,
    fields: ['body'],
    where: 'messages, drafts',
    what: 'HTML is a whole document with `<html>`, `<head>` and `<body>`',
    why: 'Exchange stores it so, whatever was sent',
  },
  {
    kinds: exchange,
    requests: [...mail, 'attachment: *'],
    fields: ['attachments.filename', 'filename'],
    where: 'an attached message',
    what: 'The name is the subject of the attached message with `.eml`',
    why: 'Exchange does not keep the name of the file',
  },
  {
    kinds: exchange,
    requests: [...mail, 'attachment: *'],
    fields: ['attachments.size', 'size'],
    where: 'attachments',
    what: 'There is no `size`',
    why: 'Exchange tells the size of what it stores, which is more than the file',
  },
  {
    kinds: exchange,
    requests: [...mail, 'attachment: *'],
    fields: ['attachments.content_type', 'content_type'],
    where: 'attachments',
    what: 'The type has no parameters such as `name`',
    why: 'Exchange keeps the media type alone',
  },
  {
    kinds: ['ews'],
    requests: mail,
    fields: ['in_reply_to'],
    where: 'messages',
    what: 'Answers have `in_reply_to`',
    why: 'The field is for Exchange alone. Others tell it with `fields=include_basic_headers`',
  },
  {
    kinds: ['microsoft', ...mailServers],
    requests: ['messages: in a folder by its name'],
    fields: ['status'],
    where: '`in=Inbox`',
    what: 'The name of the inbox is taken for its id',
    why: 'Graph knows the names of its own folders, and INBOX is the id at mail servers, in any case of letters',
  },
  {
    kinds: ['imap', 'imap + DAV', 'icloud'],
    requests: mail,
    fields: ['from.name'],
    where: 'drafts and sent messages without `from`',
    what: 'The sender has no name',
    why: 'A mail server knows the address of its user alone: give `from`',
  },
  {
    kinds: exchange,
    requests: ['drafts: as a message'],
    fields: ['status'],
    where: 'a draft by its id under `/messages`',
    what: 'It is answered as a message',
    why: 'A draft has one id at Exchange. Elsewhere drafts have ids of their own, and messages with them are not found',
  },
  {
    kinds: exchange,
    requests: ['sends: with a sender that is not the account'],
    fields: ['status'],
    where: 'sending with a foreign `from`',
    what: '402 `provider_error`',
    why: 'Exchange refuses senders that the account may not use. Gmail replaces them, and SMTP servers decide by themselves',
  },
]

export const folderDifferences: readonly Difference[] = [
  {
    kinds: exchange,
    requests: ['folders: the inbox'],
    fields: ['name'],
    where: 'folders that every account has',
    what: 'The inbox is named in the language of the account, such as `Inbox`',
    why: 'Providers name these folders as they like: know them by `attributes`',
  },
  {
    kinds: mailServers,
    requests: ['folders: *'],
    fields: ['attributes'],
    where: 'folders',
    what: 'Attributes include those of IMAP, such as `\\HasNoChildren`',
    why: 'They are passed on as the server tells them',
  },
  {
    kinds: exchange,
    requests: ['folders: *'],
    fields: ['parent_id', 'child_count'],
    where: 'folders',
    what: 'Folders have `parent_id` and `child_count`',
    why: 'Elsewhere the name of a folder says which one it lies in',
  },
  {
    kinds: exchange,
    requests: ['folders: *'],
    fields: ['system_folder'],
    where: 'folders',
    what: 'There is no `system_folder`',
    why: 'Exchange does not tell it: see `attributes`',
  },
]
