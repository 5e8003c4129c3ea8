/**
 * In place of Scalar's rule which parameters of a request are sent: those that must be, and those that somebody switched
 * on. Scalar's sends every optional parameter that has a default or a list of values, such as both of two filters.
 */
interface Parameter {
  in?: string
  required?: boolean
}

export function isParamDisabled(
  parameter: Parameter,
  example: { 'x-disabled'?: boolean } | undefined,
  isOffByDefault = true,
): boolean {
  return example?.['x-disabled'] ?? (isOffByDefault && !parameter.required && parameter.in !== 'path')
}
