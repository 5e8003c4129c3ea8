/**
 * Replaces Scalar's rule for sending parameters: only required ones and those that the user switched on are sent.
 * Scalar sends every optional parameter with a default or a list of values, even filters that exclude each other.
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
