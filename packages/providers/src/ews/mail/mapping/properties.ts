/** Properties of messages that have no name in the schema (https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxprops). */
import { ownName } from '../../../mail/sent-name.ts'
import { type ExtendedFieldUri, named, tag } from '../../types/paths.ts'

/** Stays with a message when it is moved (PidTagSearchKey); a copy has the same one. */
export const searchKey: ExtendedFieldUri = tag('0x300B', 'Binary')
/** Identifies a conversation (PidTagConversationId). */
export const conversation: ExtendedFieldUri = tag('0x3013', 'Binary')
/** 1 for a completed flag, 2 for a flagged message (PidTagFlagStatus). */
export const flagStatus: ExtendedFieldUri = tag('0x1090', 'Integer')
export const flagged = 2
/** The addresses of the sender: the mail address, and the directory or mail address (PidTagSentRepresenting…). */
export const senderSmtpAddress: ExtendedFieldUri = tag('0x5D02', 'String')
export const senderAddress: ExtendedFieldUri = tag('0x0065', 'String')
/** 1 for read, 8 for not sent yet (PidTagMessageFlags); it can be set only when a message is created. */
export const messageFlags: ExtendedFieldUri = tag('0x0E07', 'Integer')
export const unsentAndRead = 9
/** The Message-ID with its brackets (PidTagInternetMessageId). */
export const internetMessageId: ExtendedFieldUri = tag('0x1035', 'String')
/** The header with our Message-ID, as the property that Exchange stores unknown headers in. */
export const ownNameHeader: ExtendedFieldUri = named('InternetHeaders', ownName, 'String')
