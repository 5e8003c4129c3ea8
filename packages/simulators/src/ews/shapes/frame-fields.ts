// The item fields that the mailbox itself provides. Every type includes them.

import type { Field } from '../model.ts'
import { timeText } from '../soap/times.ts'
import { element } from '../xml/write.ts'
import { itemIdXml } from './item-shape.ts'

export const frameFields: readonly Field[] = [
  { uri: 'item:ItemId', name: 'ItemId', shape: 'IdOnly', write: itemIdXml, value: ({ id }) => id },
  {
    uri: 'item:ParentFolderId',
    name: 'ParentFolderId',
    shape: 'AllProperties',
    write: ({ folder }) => element('t:ParentFolderId', { Id: folder.id, ChangeKey: folder.changeKey }),
  },
  {
    uri: 'item:ItemClass',
    name: 'ItemClass',
    shape: 'AllProperties',
    write: ({ itemClass }) => element('t:ItemClass', itemClass),
    value: ({ itemClass }) => itemClass,
  },
  {
    uri: 'item:DateTimeReceived',
    name: 'DateTimeReceived',
    shape: 'AllProperties',
    write: ({ receivedAt }, { call }) => element('t:DateTimeReceived', timeText(call, receivedAt)),
    value: ({ receivedAt }) => receivedAt,
  },
  {
    uri: 'item:DateTimeCreated',
    name: 'DateTimeCreated',
    shape: 'AllProperties',
    write: ({ createdAt }, { call }) => element('t:DateTimeCreated', timeText(call, createdAt)),
    value: ({ createdAt }) => createdAt,
  },
  {
    uri: 'item:LastModifiedTime',
    name: 'LastModifiedTime',
    shape: 'AllProperties',
    since: 'Exchange2007_SP1',
    write: ({ modifiedAt }, { call }) => element('t:LastModifiedTime', timeText(call, modifiedAt)),
    value: ({ modifiedAt }) => modifiedAt,
  },
  {
    uri: 'item:IsAssociated',
    name: 'IsAssociated',
    shape: 'AllProperties',
    since: 'Exchange2010',
    write: ({ isAssociated }) => element('t:IsAssociated', isAssociated),
    value: ({ isAssociated }) => isAssociated,
  },
]
