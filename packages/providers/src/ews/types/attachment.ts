/** Files and items that are attached to an item. */
import {
  attributesOnly,
  base64,
  boolean,
  choice,
  integer,
  readableListOf,
  requiredAttribute,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'

/**
 * The root is the item that it is attached to; its new change key is returned when an attachment is added or removed.
 */
export const attachmentId = attributesOnly({
  Id: requiredAttribute(text),
  RootItemId: text,
  RootItemChangeKey: text,
})

export const attachmentFields = {
  AttachmentId: attachmentId,
  Name: text,
  ContentType: text,
  ContentId: text,
  Size: integer,
  IsInline: boolean,
}

const fileAttachment = sequence({ ...attachmentFields, IsContactPhoto: boolean, Content: base64 })
const otherAttachment = sequence(attachmentFields)

export const anyAttachment = choice({
  ItemAttachment: otherAttachment,
  FileAttachment: fileAttachment,
  ReferenceAttachment: otherAttachment,
})
export type Attachment = ValueOf<typeof anyAttachment>
export const attachments = readableListOf(anyAttachment)
