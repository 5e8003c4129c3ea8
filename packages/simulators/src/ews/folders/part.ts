// The folders of mailboxes.
import type { ExchangePart } from '../part.ts'
import { findFolder, getFolder } from './find.ts'

export const foldersPart: ExchangePart = {
  operations: { GetFolder: getFolder, FindFolder: findFolder },
}
