/** The part of JSON Schema that the contract's schemas are converted to. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  propertyNames?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  description?: string
}

/** Every `$ref` in a schema, however deep. */
export function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = '$ref' in schema && typeof schema.$ref === 'string' ? [schema.$ref] : []
  return [...own, ...Object.values(schema).flatMap(referencesIn)]
}
