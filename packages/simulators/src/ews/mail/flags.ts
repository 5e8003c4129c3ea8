// Follow-up flags.
import type { EwsCall } from '../model.ts'
import { EwsError } from '../soap/errors.ts'
import { timeText } from '../soap/times.ts'
import { childOf, textOf, type XmlNode } from '../xml/read.ts'
import { element, optional, type Xml } from '../xml/write.ts'
import type { Flag } from './content.ts'
import { readTime } from './field-forms.ts'

export function flagXml(call: EwsCall, { status, start, due, completed }: Flag): Xml {
  const time = (tag: string, at: number | undefined) => optional(tag, at === undefined ? undefined : timeText(call, at))
  return element('t:Flag', [
    element('t:FlagStatus', status),
    time('t:StartDate', start),
    time('t:DueDate', due),
    time('t:CompleteDate', completed),
  ])
}

export function readFlag(written: XmlNode, now: number): Flag {
  const status = textOf(written, 'FlagStatus')
  const time = (name: string) => {
    const node = childOf(written, name)
    return node === undefined ? undefined : readTime(node)
  }
  const [start, due, completed] = [time('StartDate'), time('DueDate'), time('CompleteDate')]
  if ((start === undefined) !== (due === undefined)) {
    throw new EwsError('ErrorInvalidArgument', 'StartDate and DueDate of a flag must be set together.')
  }
  switch (status) {
    case 'NotFlagged':
      return { status }
    case 'Flagged':
      return { status, start, due }
    case 'Complete':
      return { status, completed: completed ?? now }
    default:
      throw new EwsError('ErrorSchemaValidation', `The value '${status ?? ''}' is no status of a flag.`)
  }
}
