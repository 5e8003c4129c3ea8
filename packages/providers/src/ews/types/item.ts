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
  type ValueOf,
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
export type Body = ValueOf<typeof body>

export const strings = list('String', text)

const flag = sequence({
  FlagStatus: required(enumeration(['NotFlagged', 'Flagged', 'Complete'], 'NotFlagged')),
  StartDate: dateTime,
  DueDate: dateTime,
  CompleteDate: dateTime,
})

const internetHeader = textElement({ HeaderName: requiredAttribute(text) }, text)

/** ItemType, in the order of the schema; from `Flag` on it came with Exchange 2013. */
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
  Categories: strings,
  Importance: enumeration(['Low', 'Normal', 'High']),
  InReplyTo: text,
  IsSubmitted: boolean,
  IsDraft: boolean,
  IsFromMe: boolean,
  IsResend: boolean,
  IsUnmodified: boolean,
  InternetMessageHeaders: list('InternetMessageHeader', internetHeader),
  DateTimeSent: dateTime,
  DateTimeCreated: dateTime,
  ReminderDueBy: dateTime,
  ReminderIsSet: boolean,
  ReminderNextTime: dateTime,
  ReminderMinutesBeforeStart: integer,
  DisplayCc: text,
  DisplayTo: text,
  DisplayBcc: text,
  HasAttachments: boolean,
  ExtendedProperty: repeated(extendedProperty),
  Culture: text,
  EffectiveRights: effectiveRights,
  LastModifiedName: text,
  LastModifiedTime: dateTime,
  IsAssociated: boolean,
  WebClientReadFormQueryString: text,
  WebClientEditFormQueryString: text,
  ConversationId: itemId,
  UniqueBody: body,
  Flag: flag,
  StoreEntryId: base64,
  InstanceKey: base64,
  NormalizedBody: body,
  RetentionDate: dateTime,
  Preview: text,
  TextBody: body,
}

/** An item of a kind without a description of its own. */
export const plainItem = sequence(itemFields)
