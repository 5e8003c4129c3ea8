/** The response messages of an answer, each read with the description of its operation or as an error. */
import type { XmlElement } from '@waypost/platform/xml/xml'
import { type EwsError, responseError } from '../errors.ts'
import { type OnDropped, UnreadableElement } from './description.ts'
import { backOffIn, childNamed, messageValue } from './envelope.ts'
import type { Operation } from './operation.ts'

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
