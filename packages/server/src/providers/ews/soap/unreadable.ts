/** What stands in an answer and cannot be read: where, such as `Items.Message.Size`, and what is wrong. No value is quoted. */
import { XmlError } from '../../../lib/xml/xml.ts'

export class UnreadableElement extends XmlError {
  readonly path: string
  readonly problem: string

  constructor(problem: string, path = '') {
    super(`${path === '' ? 'it' : path} ${problem}`)
    this.problem = problem
    this.path = path
  }
}

/** The same problem, seen from the element that holds the other. */
export function within(name: string, error: unknown): unknown {
  if (!(error instanceof UnreadableElement)) return error
  return new UnreadableElement(error.problem, error.path === '' ? name : `${name}.${error.path}`)
}
