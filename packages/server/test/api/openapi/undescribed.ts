/**
 * The parts of an OpenAPI document without a description: operations, parameters, and the properties of all its
 * schemas.
 */
type Json = Record<string, unknown>

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const isWorded = ({ description }: Json): boolean => typeof description === 'string' && description.trim().length > 0

const follow = (document: Json, { $ref }: Json): Json =>
  typeof $ref === 'string'
    ? $ref
        .slice(2)
        .split('/')
        .reduce((place, step) => recordOf(place[step]), document)
    : {}

const branchesOf = (schema: Json): Json[] => ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(schema[name]))

/** A schema has words of its own, or those of what it refers to, or of what it is a choice of. */
const isDescribed = (document: Json, schema: Json): boolean =>
  isWorded(schema) ||
  isWorded(follow(document, schema)) ||
  branchesOf(schema).some((branch) => isDescribed(document, branch))

function* inSchema(document: Json, schema: Json, name: string): Generator<string> {
  for (const [property, value] of Object.entries(recordOf(schema.properties))) {
    const at = `${name}.${property}`
    if (!isDescribed(document, recordOf(value))) yield at
    yield* inSchema(document, recordOf(value), at)
  }
  for (const branch of branchesOf(schema)) yield* inSchema(document, branch, name)
  if (isRecord(schema.items)) yield* inSchema(document, schema.items, `${name}[]`)
  if (isRecord(schema.additionalProperties)) yield* inSchema(document, schema.additionalProperties, `${name}.*`)
}

function* inContent(document: Json, content: unknown, name: string): Generator<string> {
  for (const { schema } of listOf(Object.values(recordOf(content)))) {
    yield* inSchema(document, recordOf(schema), name)
  }
}

function* inOperation(document: Json, operation: Json): Generator<string> {
  const id = String(operation.operationId)
  if (!isWorded(operation)) yield id
  for (const parameter of listOf(operation.parameters)) {
    const found = '$ref' in parameter ? follow(document, parameter) : parameter
    if (!isDescribed(document, found) && !isDescribed(document, recordOf(found.schema)))
      yield `${id} ${found.in} ${found.name}`
  }
  yield* inContent(document, recordOf(operation.requestBody).content, `${id} body`)
  for (const [status, response] of Object.entries(recordOf(operation.responses))) {
    if (!('$ref' in recordOf(response))) yield* inContent(document, recordOf(response).content, `${id} ${status}`)
  }
}

/** Each by its name, once, in the order of the document. */
export function undescribed(document: Json): string[] {
  const items = [...Object.values(recordOf(document.paths)), ...Object.values(recordOf(document.webhooks))]
  const operations = items.flatMap((item) => listOf(Object.values(recordOf(item))))
  const { schemas, responses } = recordOf(document.components)
  return [
    ...new Set([
      ...Object.entries(recordOf(schemas)).flatMap(([name, schema]) => [...inSchema(document, recordOf(schema), name)]),
      ...Object.entries(recordOf(responses)).flatMap(([name, response]) => [
        ...inContent(document, recordOf(response).content, name),
      ]),
      ...operations.flatMap((operation) => [...inOperation(document, operation)]),
    ]),
  ]
}
