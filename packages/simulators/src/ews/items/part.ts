// Operations on items of every type.
import { createAttachment, deleteAttachment, getAttachment } from '../attachments/operations.ts'
import type { ExchangePart } from '../model.ts'
import { createItem } from './create.ts'
import { deleteItem } from './delete.ts'
import { findItem } from './find.ts'
import { getItem } from './get.ts'
import { copyItem, moveItem } from './move.ts'
import { updateItem } from './update.ts'

export const itemsPart: ExchangePart = {
  operations: {
    FindItem: findItem,
    GetItem: getItem,
    CreateItem: createItem,
    UpdateItem: updateItem,
    DeleteItem: deleteItem,
    MoveItem: moveItem,
    CopyItem: copyItem,
    CreateAttachment: createAttachment,
    GetAttachment: getAttachment,
    DeleteAttachment: deleteAttachment,
  },
}
