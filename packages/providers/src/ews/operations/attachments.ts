/** Operations on attachments. */
import {
  attributesOnly,
  base64,
  boolean,
  choice,
  enumeration,
  inline,
  list,
  message,
  readableListOf,
  required,
  requiredAttribute,
  sequence,
  text,
} from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { anyAttachment, attachmentFields, attachmentId, attachments } from '../types/attachment.ts'
import { itemId } from '../types/ids.ts'
import { anyItem } from '../types/items.ts'

const attachmentIds = list('AttachmentId', attachmentId)

const attachmentShape = sequence({
  IncludeMimeContent: boolean,
  BodyType: enumeration(['Best', 'HTML', 'Text']),
})

/** An attachment with its content: the bytes of a file, or an item. */
const wholeAttachment = choice({
  ...anyAttachment.options,
  FileAttachment: sequence({ ...attachmentFields, IsContactPhoto: boolean, Content: base64 }),
  ItemAttachment: sequence({ ...attachmentFields, Item: inline(anyItem) }),
})

export const GetAttachment = operation({
  name: 'GetAttachment',
  reads: true,
  request: message({ AttachmentShape: attachmentShape, AttachmentIds: required(attachmentIds) }),
  answer: message({ Attachments: readableListOf(wholeAttachment) }),
})

/** The answer contains the new change key of the item (`RootItemChangeKey`), which is needed to send it. */
export const CreateAttachment = operation({
  name: 'CreateAttachment',
  request: message({ ParentItemId: required(itemId), Attachments: required(attachments) }),
  answer: message({ Attachments: attachments }),
})

export const DeleteAttachment = operation({
  name: 'DeleteAttachment',
  request: message({ AttachmentIds: required(attachmentIds) }),
  answer: message({
    RootItemId: attributesOnly({ RootItemId: requiredAttribute(text), RootItemChangeKey: requiredAttribute(text) }),
  }),
})
