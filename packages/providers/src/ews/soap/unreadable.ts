/**
 * A part of an answer that cannot be read: its place, such as `Items.Message.Size`, and the problem. No value is
 * quoted.
 */
import { XmlError } from '@waypost/platform/xml/xml'

export class UnreadableElement extends XmlError {
  readonly path: string
  readonly problem: string

  constructor(problem: string, path = '') {
    super(`${path === '' ? 'it' : path} ${problem}`)
    this.problem = problem
    this.path = path
  }
}

/** The same problem, with the name of the parent element. */
export function within(name: string, error: unknown): unknown {
  if (!(error instanceof UnreadableElement)) return error
  return new UnreadableElement(error.problem, error.path === '' ? name : `${name}.${error.path}`)
}
