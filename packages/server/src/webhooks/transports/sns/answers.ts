/** Reads the XML answers of the AWS query APIs, and gives their error codes a status. Pure. */
import { childOf, childrenOf, parseXml, type XmlElement } from '@waypost/platform/xml/xml'

export interface AwsFault {
  readonly code: string
  readonly message: string
}

const limits = { characters: 65_536, depth: 8, elements: 512, attributes: 64, references: 4_096 }

/** The root of an answer. Undefined if it is not XML. */
export function readXml(body: Buffer): XmlElement | undefined {
  try {
    return parseXml(body, limits)
  } catch {
    return undefined
  }
}

/** A child of an element, by its name in the namespace of the element. */
export const inside = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element && childOf(element, element.namespace, name)

export const textIn = (element: XmlElement | undefined, name: string): string =>
  inside(element, name)?.text.trim() ?? ''

/** The error in an answer. */
export function faultIn(root: XmlElement | undefined): AwsFault {
  const error = inside(root, 'Error')
  return { code: textIn(error, 'Code'), message: textIn(error, 'Message') }
}

/** What became of each entry of a batch, by its id. */
export function batchResults(root: XmlElement | undefined): Map<string, AwsFault | 'accepted'> {
  const result = inside(root, 'PublishBatchResult')
  const entries = new Map<string, AwsFault | 'accepted'>()
  for (const each of membersOf(inside(result, 'Successful'))) entries.set(textIn(each, 'Id'), 'accepted')
  for (const each of membersOf(inside(result, 'Failed'))) {
    entries.set(textIn(each, 'Id'), { code: textIn(each, 'Code'), message: textIn(each, 'Message') })
  }
  return entries
}

const membersOf = (list: XmlElement | undefined): XmlElement[] =>
  list ? childrenOf(list, list.namespace, 'member') : []

/**
 * Error codes whose HTTP status does not say whose fault it is: SNS answers 400 to throttled requests, and to every
 * problem with the encryption key of a topic.
 */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^(Throttl|KMSThrottling|RequestLimitExceeded|TooManyRequests)/, 429],
  [/^KMS/, 503],
  [/^(NotFound|NotFoundException)$/, 404],
  [/^(AuthorizationError|AccessDenied|InvalidClientTokenId|InvalidSecurity|SignatureDoesNotMatch|ExpiredToken)/, 403],
  [/^(IncompleteSignature|MissingAuthenticationToken|OptInRequired|RequestExpired|UnrecognizedClient)/, 403],
  [/^(InternalError|InternalFailure)/, 500],
  [/^ServiceUnavailable/, 503],
  [/^(BatchRequestTooLong|TooManyEntries)/, 413],
]

/** The status of an error: by its code, or else the given one. A redirect comes from a proxy, not from AWS. */
export function statusOf({ code }: AwsFault, status: number): number {
  const known = statuses.find(([pattern]) => pattern.test(code))
  if (known) return known[1]
  return status >= 300 && status < 400 ? 502 : status
}
