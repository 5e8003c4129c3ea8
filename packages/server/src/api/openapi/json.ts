/** What the parts of an OpenAPI document are made of. */
export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A component by its place and name. */
export const refer = (kind: 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})
