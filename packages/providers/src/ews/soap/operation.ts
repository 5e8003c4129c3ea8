/** An operation of EWS: its request, and the content of its response messages. */
import type { Description } from './description.ts'
import type { SchemaVersion } from './known-servers.ts'

export interface Operation<Request, Answer> {
  /** Such as `GetItem`. */
  readonly name: string
  /** The element of the request; it has the name of the operation, with one exception. */
  readonly element: string
  /** The oldest schema version that contains it. */
  readonly since: SchemaVersion
  /** Whether it changes nothing, so that it is retried if the server or the connection failed. */
  readonly reads: boolean
  /**
   * Whether the answer itself is the only response message, as for GetRooms; otherwise it contains a list of them.
   */
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
