// DeleteItem.
import type { DeleteType, EwsCall } from '../model.ts'
import { answerEach } from '../soap/answers.ts'
import { schemaViolation } from '../soap/errors.ts'
import { itemOf } from '../store/lookup.ts'
import type { StoredItem } from '../store/stored.ts'
import { childOf } from '../xml/read.ts'
import type { Xml } from '../xml/write.ts'

export function deleteItem(call: EwsCall): Promise<Xml> {
  const deleteType = call.request.attributes.DeleteType
  if (!isDeleteType(deleteType)) throw schemaViolation("The required attribute 'DeleteType' is missing.")
  return answerEach(call, childOf(call.request, 'ItemIds')?.children ?? [], (id) => {
    const item = itemOf(call, id, 'write')
    const type = call.world.registry.typeOf(item)
    if (type.remove !== undefined) type.remove(call, item, deleteType)
    else disposeOf(item, deleteType)
    return []
  })
}

function isDeleteType(text: string | undefined): text is DeleteType {
  return text === 'HardDelete' || text === 'SoftDelete' || text === 'MoveToDeletedItems'
}

/** The default delete, for types without their own. */
export function disposeOf(item: StoredItem, deleteType: DeleteType): void {
  const { mailbox } = item
  const to = { MoveToDeletedItems: 'deleteditems', SoftDelete: 'recoverableitemsdeletions' } as const
  if (deleteType === 'HardDelete') mailbox.remove(item)
  else mailbox.move(item, mailbox.folders.standard(to[deleteType]))
}
