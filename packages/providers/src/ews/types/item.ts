/** The fields that every item has. The kinds add their own after them, as in the schema. */
import {
  base64,
  boolean,
  dateTime,
  enumeration,
  integer,
  list,
  repeated,
  required,
  requiredAttribute,
  sequence,
  text,
  textElement,
} from '../soap/description.ts'
import { attachments } from './attachment.ts'
import { effectiveRights } from './folder.ts'
import { folderId, itemId } from './ids.ts'
import { extendedProperty } from './paths.ts'

/** A text, as HTML or plain. */
export const body = textElement(
  { BodyType: requiredAttribute(enumeration(['HTML', 'Text'], 'Text')), IsTruncated: boolean },
  text,
)

const flag = sequence({
  FlagStatus: required(enumeration(['NotFlagged', 'Flagged', 'Complete'], 'NotFlagged')),
})

const internetHeader = textElement({ HeaderName: requiredAttribute(text) }, text)

/** What is used of ItemType, in the order of the schema; from `Flag` on it came with Exchange 2013. */
export const itemFields = {
  MimeContent: textElement({ CharacterSet: text }, base64),
  ItemId: itemId,
  ParentFolderId: folderId,
  ItemClass: text,
  Subject: text,
  Sensitivity: enumeration(['Normal', 'Personal', 'Private', 'Confidential']),
  Body: body,
  Attachments: attachments,
  DateTimeReceived: dateTime,
  Size: integer,
  InReplyTo: text,
  IsDraft: boolean,
  InternetMessageHeaders: list('InternetMessageHeader', internetHeader),
  DateTimeSent: dateTime,
  DateTimeCreated: dateTime,
  ReminderIsSet: boolean,
  ReminderMinutesBeforeStart: integer,
  HasAttachments: boolean,
  ExtendedProperty: repeated(extendedProperty),
  EffectiveRights: effectiveRights,
  LastModifiedTime: dateTime,
  ConversationId: itemId,
  Flag: flag,
  Preview: text,
}

/** An item of a kind without a description of its own. */
export const plainItem = sequence(itemFields)
