// The responses of operations: one response message per requested thing, or one for the whole request.

import type { EwsCall } from '../model.ts'
import type { XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'
import { EwsError } from './errors.ts'

/** The content of a response message in addition to its code. */
export interface Outcome {
  readonly content: readonly Xml[]
  /** A warning that accompanies data, e.g. `ErrorNameResolutionMultipleResults`. */
  readonly warning?: { readonly code: string; readonly message: string }
}

type Work<T> = (requested: T) => readonly Xml[] | Outcome | Promise<readonly Xml[] | Outcome>

/**
 * `<m:GetItemResponse>` with a response message per requested thing, in the same order. An exception becomes the
 * error of that thing, and the others continue unless it stops the batch.
 */
export async function answerEach<T>(call: EwsCall, requested: readonly T[], work: Work<T>): Promise<Xml> {
  const messages: Xml[] = []
  let stopped = false
  for (const each of requested) {
    if (stopped) {
      const message = 'The batch operation has been stopped because of a previous error.'
      messages.push(
        errorMessage(`m:${call.operation}ResponseMessage`, new EwsError('ErrorBatchProcessingStopped', message)),
      )
      continue
    }
    try {
      messages.push(goodMessage(`m:${call.operation}ResponseMessage`, await work(each)))
    } catch (error) {
      if (!isOfOne(error)) throw error
      stopped = error.details.stopsBatch === true
      messages.push(errorMessage(`m:${call.operation}ResponseMessage`, error))
    }
  }
  return element(`m:${call.operation}Response`, [element('m:ResponseMessages', messages)])
}

/** Whether an error concerns one requested thing; an invalid request fails as a whole. */
function isOfOne(error: unknown): error is EwsError {
  return error instanceof EwsError && error.code !== 'ErrorSchemaValidation'
}

/** The same for an operation with one requested thing. */
export function answerOne(call: EwsCall, work: () => ReturnType<Work<XmlNode>>): Promise<Xml> {
  return answerEach(call, [call.request], work)
}

/** `<m:FindConversationResponse ResponseClass="Success">`, for operations without `ResponseMessages`. */
export async function answerWhole(call: EwsCall, work: () => ReturnType<Work<XmlNode>>): Promise<Xml> {
  try {
    return goodMessage(`m:${call.operation}Response`, await work())
  } catch (error) {
    if (!isOfOne(error)) throw error
    return errorMessage(`m:${call.operation}Response`, error)
  }
}

/** A successful response message; also used by parts with other response forms. */
export function goodMessage(tag: string, outcome: readonly Xml[] | Outcome): Xml {
  const { content, warning } = isOutcome(outcome) ? outcome : { content: outcome, warning: undefined }
  const head =
    warning === undefined
      ? [element('m:ResponseCode', 'NoError')]
      : [
          element('m:MessageText', warning.message),
          element('m:ResponseCode', warning.code),
          element('m:DescriptiveLinkKey', 0),
        ]
  return element(tag, { ResponseClass: warning === undefined ? 'Success' : 'Warning' }, [...head, ...content])
}

export function errorMessage(tag: string, { code, message, details }: EwsError): Xml {
  return element(tag, { ResponseClass: 'Error' }, [
    element('m:MessageText', message),
    element('m:ResponseCode', code),
    element('m:DescriptiveLinkKey', 0),
    details.values === undefined ? undefined : element('m:MessageXml', valuesXml(details.values)),
    ...lists(tag),
  ])
}

/** Elements that a response has even for an error, by operation. */
const ALWAYS: Readonly<Record<string, Xml>> = {
  ...Object.fromEntries(
    ['GetItem', 'CreateItem', 'UpdateItem', 'MoveItem', 'CopyItem'].map((name) => [name, element('m:Items')]),
  ),
  CreateAttachment: element('m:Attachments'),
  GetAttachment: element('m:Attachments'),
  GetServerTimeZones: element('m:TimeZoneDefinitions'),
  GetUserPhoto: element('m:HasChanged', false),
}

function lists(tag: string): Xml[] {
  const always = ALWAYS[tag.replace(/^m:|Response(Message)?$/g, '')]
  return always === undefined ? [] : [always]
}

export function valuesXml(values: Readonly<Record<string, string | number>>): Xml[] {
  return Object.entries(values).map(([Name, value]) => element('t:Value', { Name }, value))
}

function isOutcome(outcome: readonly Xml[] | Outcome): outcome is Outcome {
  return !Array.isArray(outcome)
}
