// GetItem.

import type { EwsCall } from '../model.ts'
import { itemXml, readItemShape } from '../shapes/item-shape.ts'
import { answerEach } from '../soap/answers.ts'
import { itemOf } from '../store/lookup.ts'
import { childOf } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

export function getItem(call: EwsCall): Promise<Xml> {
  const shape = readItemShape(call, childOf(call.request, 'ItemShape'))
  return answerEach(call, childOf(call.request, 'ItemIds')?.children ?? [], (id) => [
    element('m:Items', [itemXml(call, itemOf(call, id), shape)]),
  ])
}
