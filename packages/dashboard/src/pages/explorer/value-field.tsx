/** Form fields for any schema: text, numbers, times, choices, lists, objects and alternative forms. */
import { createContext, type ReactNode, use } from 'react'
import { Button } from '../../components/button.tsx'
import { ColorField } from '../../components/color-field.tsx'
import { AreaField, SelectField, TextField } from '../../components/form.tsx'
import { Prose } from '../../components/prose.tsx'
import { localOf, secondsOf } from '../../local-time.ts'
import { JsonField } from './json-field.tsx'
import { PairFields } from './pair-fields.tsx'
import {
  emptyOf,
  formOf,
  formsOf,
  kindOf,
  plain,
  recordOf,
  type Schema,
  type Schemas,
  typeOf,
  withField,
} from './schema.ts'

export const SchemaContext = createContext<Schemas>({})

export interface ValueFieldProps {
  name: string
  /** Path in the body, such as `when.start_time`, which is also the name of the form field. */
  place: string
  schema: Schema
  required: boolean
  value: unknown
  onChange(value: unknown): void
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** Parses a number; invalid text is passed on and refused by the service. */
const numberIn = (text: string): unknown => (text === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text))

function ChoiceInput({ name, place, schema, required, value, onChange }: ValueFieldProps) {
  const isBoolean = schema.enum === undefined
  const choices = isBoolean ? ['true', 'false'] : (schema.enum ?? []).map(String)
  const read = (text: string): unknown => (text === '' ? undefined : isBoolean ? text === 'true' : text)
  return (
    <SelectField
      label={name}
      name={place}
      optional={!required}
      hint={<Words of={schema} />}
      value={textOf(value)}
      onChange={(text) => onChange(read(text))}
      options={[['', 'not set'], ...choices.map((each) => [each, each] as const)]}
    />
  )
}

const Words = ({ of: { description } }: { of: Schema }) => (description ? <Prose text={description} /> : null)

/** Unix seconds with a date and time picker in the viewer's time zone. */
function TimeInput({ name, place, schema, required, value, onChange }: ValueFieldProps) {
  const local = typeof value === 'number' ? localOf(value) : ''
  return (
    <div className="time-field">
      <TextField
        label={name}
        name={place}
        inputMode="numeric"
        optional={!required}
        hint={<Words of={schema} />}
        value={textOf(value)}
        onChange={(text) => onChange(numberIn(text.trim()))}
      />
      <TextField
        label={`${name} as date and time`}
        name={`${place} picker`}
        type="datetime-local"
        required={false}
        value={local}
        onChange={(text) => onChange(secondsOf(text))}
      />
    </div>
  )
}

function TextInput({ kind, ...props }: ValueFieldProps & { kind: string }) {
  const { name, place, schema, required, value, onChange } = props
  const hint = <Words of={schema} />
  const set = (text: string): void => onChange(text === '' ? undefined : text)
  if (kind === 'long text') {
    return (
      <AreaField
        label={name}
        name={place}
        optional={!required}
        rows={4}
        value={textOf(value)}
        hint={hint}
        onChange={set}
      />
    )
  }
  const isNumber = kind === 'number'
  const Input = /(?:^|_)color$/.test(name) ? ColorField : TextField
  return (
    <Input
      label={name}
      name={place}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={isNumber ? 'decimal' : undefined}
      optional={!required}
      hint={hint}
      placeholder={schema.default === undefined ? undefined : textOf(schema.default)}
      value={textOf(value)}
      onChange={(text) => (isNumber ? onChange(numberIn(text)) : set(text))}
    />
  )
}

/** A group of related fields. */
function Group({
  name,
  schema,
  required,
  children,
  onRemove,
}: Pick<ValueFieldProps, 'name' | 'schema' | 'required'> & { children: ReactNode; onRemove?: () => void }) {
  return (
    <fieldset className="group">
      <legend>
        {name}
        {!required && <span className="optional"> (optional)</span>}
      </legend>
      {schema.description && (
        <p className="hint">
          <Words of={schema} />
        </p>
      )}
      {children}
      {onRemove && (
        <div>
          <Button small onClick={onRemove}>
            Leave {name} out
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** The fields of an object: required ones, then those with a value, then a choice of others to add. */
export function ObjectFields({ place, schema, value, onChange }: Omit<ValueFieldProps, 'name' | 'required'>) {
  const known = recordOf(value)
  const names = Object.keys(schema.properties ?? {})
  const isNeeded = (name: string): boolean => schema.required?.includes(name) ?? false
  const field = (name: string): ReactNode => (
    <ValueField
      key={name}
      name={name}
      place={place === '' ? name : `${place}.${name}`}
      schema={schema.properties?.[name] ?? {}}
      required={isNeeded(name)}
      value={known[name]}
      onChange={(next) => onChange(withField(known, name, next))}
    />
  )
  const optional = names.filter((name) => !isNeeded(name))
  const filled = optional.filter((name) => known[name] !== undefined).length
  return (
    <>
      {names.filter(isNeeded).map(field)}
      {optional.length > 0 && (
        <details className="disclosure" open={optional.length < 4 || undefined}>
          <summary>
            Optional fields ({optional.length}
            {filled > 0 ? `, ${filled} filled in` : ''})
          </summary>
          <div className="form">{optional.map(field)}</div>
        </details>
      )}
    </>
  )
}

function ListFields({ name, place, schema, required, value, onChange }: ValueFieldProps) {
  const all = use(SchemaContext)
  const items: unknown[] = Array.isArray(value) ? value : []
  const item = plain(schema.items, all)
  const set = (index: number, next: unknown): void => onChange(items.map((each, at) => (at === index ? next : each)))
  const remove = (index: number): void => {
    const left = items.filter((_, at) => at !== index)
    onChange(left.length === 0 && !required ? undefined : left)
  }
  return (
    <Group {...{ name, schema, required }}>
      {items.map((each, index) => (
        <div key={index} className="list-item">
          <div className="form">
            <ValueField
              name={`${name} ${index + 1}`}
              place={`${place}.${index}`}
              schema={{ ...item, description: undefined }}
              required
              value={each}
              onChange={(next) => set(index, next ?? '')}
            />
          </div>
          <Button small aria-label={`Remove ${name} ${index + 1}`} onClick={() => remove(index)}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button small onClick={() => onChange([...items, emptyOf(name, item, all) ?? ''])}>
          Add to {name}
        </Button>
      </div>
    </Group>
  )
}

/** A value with alternative forms: only the fields of the chosen form are shown. */
function FormFields({ name, place, schema, required, value, onChange }: ValueFieldProps) {
  const forms = formsOf(schema, use(SchemaContext))
  const current = formOf(forms, value)
  const chosen = forms[current]
  return (
    <Group {...{ name, schema, required }}>
      <SelectField
        label={`Form of ${name}`}
        name={`${place} form`}
        value={String(current)}
        onChange={(index) => {
          const names = forms[Number(index)]?.schema.required ?? []
          onChange(Object.fromEntries(names.map((each) => [each, null])))
        }}
        options={forms.map(({ label }, index) => [String(index), label] as const)}
      />
      {chosen && <ObjectFields place={place} schema={chosen.schema} value={value} onChange={onChange} />}
    </Group>
  )
}

export function ValueField(props: ValueFieldProps) {
  const all = use(SchemaContext)
  const schema = plain(props.schema, all)
  const kind = kindOf(props.name, schema, all)
  const given = { ...props, schema }
  if (kind === 'choice' || kind === 'boolean') return <ChoiceInput {...given} />
  if (kind === 'time') return <TimeInput {...given} />
  if (kind === 'list') return <ListFields {...given} />
  if (kind === 'pairs') return <PairFields {...given} words={schema.description ?? ''} />
  if (kind === 'json') return <JsonField {...given} hint={<Words of={schema} />} />
  if (kind !== 'object' && kind !== 'forms') return <TextInput {...given} kind={kind} />
  // Optional fields are hidden until the user adds them.
  if (!props.required && props.value === undefined) {
    return (
      <div>
        <Button small onClick={() => props.onChange({})}>
          Add {props.name}
        </Button>
        {schema.description && (
          <p className="hint">
            <Words of={schema} />
          </p>
        )}
      </div>
    )
  }
  if (kind === 'forms') return <FormFields {...given} />
  return (
    <Group
      name={props.name}
      schema={schema}
      required={props.required}
      onRemove={props.required ? undefined : () => props.onChange(undefined)}
    >
      <ObjectFields place={props.place} schema={schema} value={props.value} onChange={props.onChange} />
    </Group>
  )
}

/** The fields of a request body: those of one object, or a list of objects. */
export function BodyFields({ schema, value, onChange }: Pick<ValueFieldProps, 'schema' | 'value' | 'onChange'>) {
  if (typeOf(schema) !== 'array') return <ObjectFields {...{ schema, value, onChange }} place="" />
  return <ListFields {...{ schema, value, onChange }} name="body" place="body" required />
}
