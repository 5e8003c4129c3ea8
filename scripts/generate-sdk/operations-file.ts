/** `operations.ts`: the functions of the client, with their arguments and results. */
import { z } from 'zod'
import { type Contract, type NamedRoute, paramsOf, routesOf } from '../../packages/contract/src/index.ts'
import { wordsOf } from '../../packages/server/src/api/openapi/path-parameters.ts'
import { typePrefix } from './contract-schemas.ts'
import { docComment } from './doc-comment.ts'
import type { SchemaForms } from './schema-forms.ts'

const isPaged = ({ route }: NamedRoute): boolean => route.list === 'cursor' || route.list === 'offset'

/** Whether the route supports an Idempotency-Key. */
const takesKey = ({ route }: NamedRoute): boolean =>
  route.method !== 'GET' && route.audience !== 'public' && route.audience !== 'client'

/** One field of an argument. */
interface Field {
  name: string
  type: string
  required: boolean
  description?: string | undefined
}

const fieldText = ({ name, type, required, description }: Field): string =>
  `${docComment([description], '  ')}  ${name}${required ? ': ' : '?: '}${type}${required ? '' : ' | undefined'}\n`

const interfaceText = (name: string, base: string, description: string, fields: readonly Field[]): string =>
  `${docComment([description])}export interface ${name} extends ${base} {\n${fields.map(fieldText).join('')}}\n`

const fieldWords = {
  query: 'Filters and options: the query of the address.',
  headers: 'Headers that this operation takes beside those of every request.',
  body: 'What is sent.',
}

/** `query`, `headers` or `body` with the type of its schema; optional if all of its fields are. A list is required. */
function schemaField(forms: SchemaForms, name: 'query' | 'headers' | 'body', { route }: NamedRoute): Field[] {
  const schema = route[name]
  const known = schema && forms.names.get(schema)
  if (known === undefined) return []
  const required = forms.input[known]?.type === 'array' || (forms.input[known]?.required ?? []).length > 0
  return [{ name, type: forms.sentName(known), required, description: fieldWords[name] }]
}

const pathFields = ({ route, resource }: NamedRoute): Field[] =>
  paramsOf(route.path).map((name) => ({
    name,
    type: 'string',
    required: true,
    description: wordsOf(resource, name),
  }))

const filesField: Field = {
  name: 'files',
  type: 'readonly OutgoingFile[]',
  required: false,
  description: 'Sent with the body as a form, up to 25 MB in all.',
}
const mimeField: Field = {
  name: 'mime',
  type: "OutgoingFile['content']",
  required: true,
  description: 'A whole message in place of body and files.',
}
const noMime: Field = { name: 'mime', type: 'undefined', required: false }

interface Arguments {
  text: string
  required: boolean
}

/** The arguments of an operation: its path parameters, `query`, `body` and the rest. */
function argumentsOf(forms: SchemaForms, named: NamedRoute): Arguments {
  const { parts, mime } = named.route
  const name = `${typePrefix(named)}Arguments`
  const base = takesKey(named) ? 'WriteOptions' : 'CallOptions'
  const common = [...pathFields(named), ...schemaField(forms, 'query', named), ...schemaField(forms, 'headers', named)]
  const body = schemaField(forms, 'body', named)
  const description = `What \`${named.id}\` takes.`
  const all = [...common, ...body, ...(parts ? [filesField] : [])]
  const required = all.some((field) => field.required)
  if (!mime) return { text: interfaceText(name, base, description, all), required }
  const [fields, whole] = [`${name}WithBody`, `${name}WithMime`]
  const text = [
    `${docComment([description])}export type ${name} = ${fields} | ${whole}\n`,
    interfaceText(fields, base, `${description.slice(0, -1)}: the fields of a message, and files.`, [...all, noMime]),
    interfaceText(whole, base, `${description.slice(0, -1)}: a message that is composed already.`, [
      ...common,
      mimeField,
    ]),
  ]
  return { text: text.join('\n'), required }
}

/** The type of the object that an operation returns, or of one item of its list. */
export function dataType(forms: SchemaForms, { route }: NamedRoute): string | undefined {
  if (!route.returns) return undefined
  const name = forms.names.get(route.returns)
  return name ?? JSON.stringify(z.toJSONSchema(route.returns).const).replaceAll('"', "'")
}

function resultOf(forms: SchemaForms, named: NamedRoute): string {
  const data = dataType(forms, named)
  if (named.route.bytes) return 'FileResult'
  if (data === undefined) return 'EmptyResult'
  if (named.route.list) return `ListResult<${data}>`
  return `DataResult<${data}${named.route.sometimes ? ' | undefined' : ''}>`
}

const pathOf = ({ route }: NamedRoute): string => `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``

/** The live form of a list. */
function streamOf(forms: SchemaForms, named: NamedRoute): string {
  const words = [
    `${named.route.summary}: every item, and new ones as they come. A connection that ends is replaced, from the last item on.`,
  ]
  const given = `(args?: ${typePrefix(named)}Arguments & { lastEventId?: string | undefined })`
  return `${docComment(words, '    ')}    stream${given}: AsyncGenerator<LiveItem<${dataType(forms, named)}>, void>\n`
}

/** A function of a resource, as a member of its type. */
function memberOf(forms: SchemaForms, named: NamedRoute, { required }: Arguments): string {
  const words = [`${named.route.summary}.`, named.route.description, pathOf(named)]
  const given = `(args${required ? '' : '?'}: ${typePrefix(named)}Arguments)`
  const call = `${given}: Promise<${resultOf(forms, named)}>\n`
  if (!isPaged(named)) return `${docComment(words, '  ')}  ${named.operation}${call}`
  const every = docComment([`${named.route.summary}: every item, page after page.`], '    ')
  const all = `${every}    all${given}: AsyncGenerator<${dataType(forms, named)}, void>\n`
  const live = named.route.events ? streamOf(forms, named) : ''
  return `${docComment(words, '  ')}  readonly ${named.operation}: {\n${docComment(words, '    ')}    ${call}${all}${live}  }\n`
}

/** The text of the file, without its imports of other generated types. */
export function operationsFile(contract: Contract, forms: SchemaForms): string {
  const routes = routesOf(contract)
  const taken = new Map(routes.map((named) => [named.id, argumentsOf(forms, named)]))
  const resources = Object.keys(contract).map((resource) => {
    const own = routes.filter((named) => named.resource === resource)
    const typeName = `${typePrefix({ ...own[0], operation: 'operations' } as NamedRoute)}`
    const members = own.map((named) => memberOf(forms, named, taken.get(named.id) as Arguments))
    return { resource, typeName, text: `export type ${typeName} = {\n${members.join('')}}\n` }
  })
  const client = resources.map(({ resource, typeName }) => `  readonly ${resource}: ${typeName}\n`)
  return [
    ...[...taken.values()].map(({ text }) => text),
    ...resources.map(({ text }) => text),
    `/** A client of the API: \`waypost.<resource>.<operation>\`. */\nexport type WaypostClient = {\n${client.join('')}}\n`,
  ].join('\n')
}
