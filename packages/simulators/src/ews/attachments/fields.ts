// The item fields about attachments.
import type { Field } from '../model.ts'
import { element } from '../xml/write.ts'
import { readAttachment } from './reading.ts'
import { attachmentsOf, hasFiles } from './stored.ts'
import { attachmentXml } from './xml.ts'

/** Fields of every item type that has attachments. */
export const attachmentFields: readonly Field[] = [
  {
    uri: 'item:Attachments',
    name: 'Attachments',
    shape: 'AllProperties',
    onlyGet: true,
    write(item, { call }) {
      const attachments = attachmentsOf(item)
      if (attachments.length === 0) return undefined
      return element(
        't:Attachments',
        attachments.map((attachment) => attachmentXml(call, item, attachment)),
      )
    },
    set(item, written, { call }) {
      const now = call.world.now()
      const before = attachmentsOf(item)
      const given = written.children.map((node, index) => ({
        ...readAttachment(call, node, item.folder),
        number: before.length + index + 1,
        modifiedAt: now,
      }))
      item.type.attachments?.set(item, [...before, ...given])
    },
  },
  {
    uri: 'item:HasAttachments',
    name: 'HasAttachments',
    shape: 'Default',
    write: (item) => element('t:HasAttachments', hasFiles(attachmentsOf(item))),
    value: (item) => hasFiles(attachmentsOf(item)),
  },
]
