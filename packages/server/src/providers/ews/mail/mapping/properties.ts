/** Properties of messages that have no name in the schema (https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxprops). */
import { type ExtendedFieldUri, type Path, property, tag } from '../../types/paths.ts'

/** Stays with a message wherever it is moved (PidTagSearchKey); a copy has the same one. */
export const searchKey: ExtendedFieldUri = tag('0x300B', 'Binary')
/** What makes messages one conversation (PidTagConversationId). */
export const conversation: ExtendedFieldUri = tag('0x3013', 'Binary')
/** 1 where what was flagged is done, 2 where it is flagged (PidTagFlagStatus). */
export const flagStatus: ExtendedFieldUri = tag('0x1090', 'Integer')
export const flagged = 2
/** The addresses of who wrote a message: that of mail, and that of the directory or of mail (PidTagSentRepresenting…). */
export const senderSmtpAddress: ExtendedFieldUri = tag('0x5D02', 'String')
export const senderAddress: ExtendedFieldUri = tag('0x0065', 'String')
/** 1 of what was read, 8 of what was not sent yet (PidTagMessageFlags); it is set when a message is made, or never. */
export const messageFlags: ExtendedFieldUri = tag('0x0E07', 'Integer')
export const unsentAndRead = 9
/** The Message-ID with its brackets (PidTagInternetMessageId). */
export const internetMessageId: ExtendedFieldUri = tag('0x1035', 'String')

export const asPath = (uri: ExtendedFieldUri): Path => property(uri)
