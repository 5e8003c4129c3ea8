/** Files and items that are attached to an item. */
import {
  attributesOnly,
  base64,
  boolean,
  choice,
  dateTime,
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
  ContentLocation: text,
  AttachmentOriginalUrl: text,
  Size: integer,
  LastModifiedTime: dateTime,
  IsInline: boolean,
}

const fileAttachment = sequence({ ...attachmentFields, IsContactPhoto: boolean, Content: base64 })
const itemAttachment = sequence(attachmentFields)
const referenceAttachment = sequence({ ...attachmentFields, AttachLongPathName: text })

export const anyAttachment = choice({
  ItemAttachment: itemAttachment,
  FileAttachment: fileAttachment,
  ReferenceAttachment: referenceAttachment,
})
export type Attachment = ValueOf<typeof anyAttachment>
export const attachments = readableListOf(anyAttachment)
