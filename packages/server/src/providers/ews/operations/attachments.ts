/** Operations on what is attached to items. */
import { attributesOnly, list, message, required, requiredAttribute, text } from '../soap/description.ts'
import { operation } from '../soap/operation.ts'
import { attachmentId, attachments } from '../types/attachment.ts'
import { itemId } from '../types/ids.ts'

const attachmentIds = list('AttachmentId', attachmentId)

export const GetAttachment = operation({
  name: 'GetAttachment',
  reads: true,
  request: message({ AttachmentIds: required(attachmentIds) }),
  answer: message({ Attachments: attachments }),
})

/** The ids that are answered hold the new change key of the item. */
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
