import type { ReactNode } from 'react'
import { AreaField, SelectField, TextField } from '../../components/form.tsx'
import { Prose } from '../../components/prose.tsx'
import type { Field, Operation } from './operations.ts'

export type FieldValues = Readonly<Record<string, string>>

interface FormProps {
  operation: Operation
  values: FieldValues
  grants: readonly { id: string; email: string }[]
  onChange(name: string, value: string): void
}

function Input({
  field,
  value,
  grants,
  onChange,
}: { field: Field; value: string } & Pick<FormProps, 'grants' | 'onChange'>) {
  const name = `${field.place}.${field.name}`
  const hint = field.description && <Prose text={field.description} />
  const common = { label: field.name, name, optional: !field.required, hint, value }
  const set = (text: string): void => onChange(name, text)
  if (field.place === 'path' && field.name === 'grant_id') {
    return (
      <>
        <TextField
          {...common}
          list="explorer-grants"
          hint="An id or an address; the list offers the newest grants."
          onChange={(event) => set(event.currentTarget.value)}
        />
        <datalist id="explorer-grants">
          {grants.map(({ id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </datalist>
      </>
    )
  }
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const choices = field.kind === 'boolean' ? ['true', 'false'] : field.choices
    return (
      <SelectField
        {...common}
        onChange={set}
        options={[['', 'not given'], ...choices.map((each) => [each, each] as const)]}
      />
    )
  }
  if (field.kind === 'json' || (field.kind === 'list' && field.place === 'body')) {
    const form = field.kind === 'json' ? '(JSON)' : '(one for each line)'
    return (
      <AreaField
        {...common}
        hint={<Prose text={`${field.description ?? ''} ${form}`} />}
        mono
        rows={3}
        onChange={set}
      />
    )
  }
  if (/^(?:body|description|html|text)$/.test(field.name) && field.place === 'body') {
    return <AreaField {...common} rows={4} onChange={set} />
  }
  return (
    <TextField
      {...common}
      type={field.kind === 'number' ? 'number' : 'text'}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** The fields of an operation: those it needs, then the others. */
export function OperationForm({ operation, values, grants, onChange }: FormProps) {
  const shown = (fields: readonly Field[]): ReactNode =>
    fields.map((field) => (
      <Input
        key={`${operation.id} ${field.place} ${field.name}`}
        field={field}
        value={values[`${field.place}.${field.name}`] ?? ''}
        grants={grants}
        onChange={onChange}
      />
    ))
  const needed = operation.fields.filter(({ required }) => required)
  const query = operation.fields.filter(({ required, place }) => !required && place === 'query')
  const body = operation.fields.filter(({ required, place }) => !required && place === 'body')
  return (
    <div className="form">
      {shown(needed)}
      {body.length > 0 && (
        <details className="disclosure" open={!needed.some(({ place }) => place === 'body')}>
          <summary>Optional fields of the body ({body.length})</summary>
          <div className="form">{shown(body)}</div>
        </details>
      )}
      {query.length > 0 && (
        <details className="disclosure">
          <summary>Optional parameters ({query.length})</summary>
          <div className="form">{shown(query)}</div>
        </details>
      )}
    </div>
  )
}
