/** The envelope around a request and an answer: SOAP 1.1 with the headers of EWS. */
import { unflattenXml } from '@waypost/platform/xml/slices'
import { escapeXml, parseXml, type XmlElement, XmlTooLarge } from '@waypost/platform/xml/xml'
import type { Io } from '../../io.ts'
import { smallAnswer } from '../../shared/answer-threads.ts'
import { type EwsError, responseError } from '../errors.ts'
import { answerLimits, smallLimits } from './answer-limits.ts'
import { type OnDropped, UnreadableElement } from './description.ts'
import type { SchemaVersion } from './known-servers.ts'
import type { Operation } from './operation.ts'

export const namespaces = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  t: 'http://schemas.microsoft.com/exchange/services/2006/types',
  m: 'http://schemas.microsoft.com/exchange/services/2006/messages',
}

export interface RequestHeaders {
  version: SchemaVersion
  /** The address of the impersonated mailbox. */
  impersonated?: string | undefined
  /** The Windows name of the zone of times in the answer. */
  timeZone: string
}

/** A request to post; `operation` is its element. */
export function writeEnvelope({ version, impersonated, timeZone }: RequestHeaders, operation: string): string {
  const impersonation =
    impersonated === undefined
      ? ''
      : `<t:ExchangeImpersonation><t:ConnectingSID><t:PrimarySmtpAddress>${escapeXml(impersonated)}` +
        '</t:PrimarySmtpAddress></t:ConnectingSID></t:ExchangeImpersonation>'
  return (
    '<?xml version="1.0" encoding="utf-8"?>' +
    `<s:Envelope xmlns:s="${namespaces.soap}" xmlns:t="${namespaces.t}" xmlns:m="${namespaces.m}">` +
    `<s:Header><t:RequestServerVersion Version="${version}"/>${impersonation}` +
    `<t:TimeZoneContext><t:TimeZoneDefinition Id="${escapeXml(timeZone)}"/></t:TimeZoneContext></s:Header>` +
    `<s:Body>${operation}</s:Body></s:Envelope>`
  )
}

export interface Fault {
  /** Such as `ErrorServerBusy`; '' if there is none. */
  responseCode: string
  message: string
  /** The time to wait, if it is named. */
  backOffMs?: number | undefined
}

/** The content of the body: the answer of an operation, or a fault. */
export type Envelope = { answer: XmlElement; fault?: undefined } | { fault: Fault }

/** What is needed to read a large answer. */
export type Reading = Pick<Io, 'answers' | 'signal'>

/** Reads an answer; undefined if it is other XML. Throws an `XmlError` if it is not XML. */
export async function readEnvelope(body: Uint8Array, reading: Reading): Promise<Envelope | undefined> {
  const root = await rootOf(body, reading)
  const content = root.name === 'Envelope' ? childNamed(root, 'Body')?.children[0] : undefined
  if (content === undefined) return undefined
  return content.name === 'Fault' ? { fault: faultIn(content) } : { answer: content }
}

/** Small answers are parsed on the main thread, others in another thread. */
async function rootOf(body: Uint8Array, { answers, signal }: Reading): Promise<XmlElement> {
  if (!answers) return parseXml(body, answerLimits)
  if (body.length <= smallAnswer) {
    try {
      return parseXml(body, smallLimits)
    } catch (error) {
      if (!(error instanceof XmlTooLarge)) throw error
    }
  }
  const [outcome] = await answers.run('envelope', [{ body }], signal)
  if (!outcome?.ok) throw new XmlTooLarge(outcome?.message ?? '')
  return unflattenXml(outcome.value)
}

export const childNamed = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name)

const textOf = (element: XmlElement | undefined): string => element?.text.trim() ?? ''

function faultIn(fault: XmlElement): Fault {
  const detail = childNamed(fault, 'detail') ?? childNamed(fault, 'Detail')
  const named = textOf(detail && childNamed(detail, 'ResponseCode'))
  const message =
    textOf(detail && childNamed(detail, 'Message')) ||
    textOf(childNamed(fault, 'faultstring')) ||
    textOf(deepest(childNamed(fault, 'Reason')))
  const code = named || textOf(childNamed(fault, 'faultcode')).replace(/^.*:/, '')
  return {
    responseCode: code.startsWith('Error') ? code : '',
    message: message.slice(0, 500),
    backOffMs: backOffIn(detail),
  }
}

const deepest = (element: XmlElement | undefined): XmlElement | undefined => element?.children[0] ?? element

/** `MessageXml/Value[@Name='BackOffMilliseconds']`, in a fault's detail or in a response message. */
export function backOffIn(holder: XmlElement | undefined): number | undefined {
  const values = holder && childNamed(holder, 'MessageXml')?.children
  const value = values?.find(({ attributes }) => attributes.Name === 'BackOffMilliseconds')
  const milliseconds = value && /^\d{1,12}$/.test(value.text.trim()) ? Number(value.text) : undefined
  return milliseconds
}

/** Values of `MessageXml` by name, such as `InnerErrorResponseCode`. */
export function messageValue(holder: XmlElement, name: string): string | undefined {
  const value = childNamed(holder, 'MessageXml')?.children.find(({ attributes }) => attributes.Name === name)
  return value && textOf(value)
}

/** No call requests more objects. */
const maxMessages = 2_000

/** The parts of an operation that are needed to read its answer. */
export type AnswerOf<Answer> = Pick<Operation<object, Answer>, 'name' | 'isBare' | 'answer'>

/**
 * The content of each response message, in their order. Throws an `UnreadableElement` if the answer has another form.
 */
export function readResponses<Answer>(
  operation: AnswerOf<Answer>,
  answer: XmlElement,
  onDropped: OnDropped,
): (Answer | EwsError)[] {
  if (answer.name !== `${operation.name}Response`) throw new UnreadableElement('is no answer to it', operation.name)
  return messagesIn(operation, answer).map((message) => readResponse(operation, message, onDropped))
}

function messagesIn({ isBare }: AnswerOf<unknown>, answer: XmlElement): readonly XmlElement[] {
  if (isBare) return [answer]
  const messages = childNamed(answer, 'ResponseMessages')?.children
  if (!messages || messages.length === 0) throw new UnreadableElement('is missing', 'ResponseMessages')
  if (messages.length > maxMessages) throw new UnreadableElement('has too many messages', 'ResponseMessages')
  return messages
}

function readResponse<Answer>(
  operation: AnswerOf<Answer>,
  message: XmlElement,
  onDropped: OnDropped,
): Answer | EwsError {
  const error = errorIn(message)
  if (error) return error
  const value = operation.answer.read(message, onDropped)
  if (value === undefined) throw new UnreadableElement('is missing', operation.name)
  return value
}

/** The error of a response message; a warning comes with the requested content. */
export function errorIn(message: XmlElement): EwsError | undefined {
  const said = childNamed(message, 'ResponseCode')?.text.trim() ?? ''
  const { ResponseClass: responseClass } = message.attributes
  // After an error of the whole mailbox the remaining objects are skipped, which is reported as a warning.
  const isError = responseClass === 'Error' || said === 'ErrorBatchProcessingStopped'
  if (!isError) return undefined
  return responseError({
    responseCode: innerCode(message, said),
    message: childNamed(message, 'MessageText')?.text.trim() ?? '',
    backOffMs: backOffIn(message),
  })
}

/** A server that was too busy for a part of a request may report that as the reason of an internal error. */
function innerCode(message: XmlElement, said: string): string {
  if (said !== 'ErrorInternalServerError') return said
  return messageValue(message, 'InnerErrorResponseCode') || said
}
