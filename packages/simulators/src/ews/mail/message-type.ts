// The item type of messages.
import type { ItemType } from '../model.ts'
import { emptyMail, type MailContent, type MailItem } from './content.ts'
import { createMessage } from './creating.ts'
import { mapiProperties } from './mapi.ts'
import { messageFields } from './message-fields.ts'
import { markedRead } from './receipts.ts'
import { searchedMail } from './searched.ts'
import { updateMessage } from './updating.ts'

/** The common base of messages and similar items. */
export const mailType = {
  extended: mapiProperties,
  attachments: {
    list: ({ content }: MailItem) => content.attachments,
    set({ content }: MailItem, attachments: MailContent['attachments']) {
      Object.assign(content, { attachments, raw: undefined })
    },
  },
  copyContent: (content: MailContent): MailContent => ({ ...content }),
  searched: searchedMail,
  updated: updateMessage,
  markedRead,
} as const

export const messageType: ItemType<MailContent> = {
  ...mailType,
  element: 'Message',
  itemClass: 'IPM.Note',
  fields: messageFields,
  empty: emptyMail,
  create: createMessage,
}
