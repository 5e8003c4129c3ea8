/** An operation of EWS: what is sent, and what a response message of it holds. */
import type { Description } from './description.ts'
import type { SchemaVersion } from './versions.ts'

export interface Operation<Request, Answer> {
  /** Such as `GetItem`. */
  readonly name: string
  /** The element of the request; it has the name of the operation, but for one. */
  readonly element: string
  /** The oldest schema that has it. */
  readonly since: SchemaVersion
  /** Whether it changes nothing: then it is tried again where the server or the way to it failed. */
  readonly reads: boolean
  /** Whether the answer is itself the one response message, such as that of GetRooms: else it holds a list of them. */
  readonly isBare: boolean
  readonly request: Description<Request>
  readonly answer: Description<Answer>
}

export function operation<Request, Answer>({
  since = 'Exchange2010_SP1',
  reads = false,
  isBare = false,
  name,
  element = name,
  ...rest
}: {
  name: string
  element?: string
  since?: SchemaVersion
  reads?: boolean
  isBare?: boolean
  request: Description<Request>
  answer: Description<Answer>
}): Operation<Request, Answer> {
  return { name, element, since, reads, isBare, ...rest }
}
