// Exchange errors, by response code. Thrown while one item of a request is processed, it is the error of that item;
// thrown elsewhere, it is a SOAP fault.

export interface ErrorDetails {
  /** Additional named values, such as `BackOffMilliseconds`. */
  readonly values?: Readonly<Record<string, string | number>>
  /** Whether the error concerns the whole mailbox, so that later items are not processed. */
  readonly stopsBatch?: boolean
}

export class EwsError extends Error {
  override readonly name = 'EwsError'
  readonly code: string
  readonly details: ErrorDetails

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

export const itemNotFound = () => new EwsError('ErrorItemNotFound', 'The specified object was not found in the store.')
export const folderNotFound = () =>
  new EwsError('ErrorFolderNotFound', 'The specified folder could not be found in the store.')
export const malformedId = () => new EwsError('ErrorInvalidIdMalformed', 'Id is malformed.')
export const accessDenied = () =>
  new EwsError('ErrorAccessDenied', 'Access is denied. Check credentials and try again.')
export const invalidRequest = (why: string) => new EwsError('ErrorInvalidRequest', `The request is invalid. ${why}`)
export const schemaViolation = (violation: string) =>
  new EwsError('ErrorSchemaValidation', 'The request failed schema validation.', { values: { Violation: violation } })
