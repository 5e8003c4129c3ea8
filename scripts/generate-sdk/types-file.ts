/** `types.ts`: the types of requests and responses, with the contract's descriptions. */
import { docComment } from './doc-comment.ts'
import type { JsonSchema } from './json-schema.ts'
import type { SchemaForms } from './schema-forms.ts'
import { type Form, typeOf } from './typescript-type.ts'

/** Never an interface, even for an object: an interface is not assignable to a parameter that takes any record. */
const declaration = (name: string, schema: JsonSchema, form: Form): string =>
  `${docComment([schema.description])}export type ${name} = ${typeOf(schema, form)}\n`

/** The text of the file. */
export function typesFile({ input, output, onlyAnswered, twofold, sentName }: SchemaForms): string {
  const descriptionOf = (name: string): string | undefined => output[name]?.description
  const sentForm: Form = { nameOf: sentName, descriptionOf, undefinedFields: true }
  const answeredForm: Form = { nameOf: (name) => name, descriptionOf, undefinedFields: false }
  const all = new Set([...Object.keys(output), ...Object.keys(input)])
  const declarations = [...all].flatMap((name) => {
    const sent = declaration(sentName(name), input[name] ?? {}, sentForm)
    const answered = declaration(name, output[name] ?? {}, answeredForm)
    if (twofold.has(name)) return [answered, sent]
    return onlyAnswered.has(name) ? [answered] : [sent]
  })
  return declarations.join('\n')
}
