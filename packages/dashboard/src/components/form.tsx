/** Forms on native fields: values are read from the form when it is sent, problems come back to the field they are of. */
import { useMutation } from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import { createContext, type InputHTMLAttributes, type ReactNode, use, useId, useState } from 'react'
import { Button } from './button.tsx'
import { ErrorNote } from './states.tsx'

const Problems = createContext<Record<string, string>>({})

export interface Values {
  /** The text of a field without blanks around it; undefined where it is empty. */
  text(name: string): string | undefined
  /** The text exactly, for secrets. */
  exact(name: string): string
  number(name: string): number | undefined
  checked(name: string): boolean
  all(name: string): string[]
  /** The lines of a text area, without empty ones. */
  lines(name: string): string[]
}

function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form)
  const exact = (name: string): string => String(data.get(name) ?? '')
  const text = (name: string): string | undefined => exact(name).trim() || undefined
  return {
    text,
    exact,
    number: (name) => (text(name) === undefined ? undefined : Number(text(name))),
    checked: (name) => data.has(name),
    all: (name) => data.getAll(name).map(String),
    lines: (name) =>
      exact(name)
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
  }
}

interface FormProps<T> {
  submit: string
  onSubmit(values: Values): Promise<T>
  onDone?(result: T): void
  onCancel?: () => void
  children: ReactNode
  kind?: 'primary' | 'danger-solid'
  className?: string
}

export function Form<T>({ submit, onSubmit, onDone, onCancel, children, kind = 'primary', className }: FormProps<T>) {
  const [known, setKnown] = useState<string[]>([])
  const sending = useMutation({ mutationFn: onSubmit, onSuccess: (result) => onDone?.(result) })
  const error = sending.error
  const problems = (error instanceof WaypostError ? error.validationErrors : undefined) ?? {}
  // A problem of a field of this form stands at the field; the note tells the others.
  const elsewhere = Object.keys(problems).length === 0 || Object.keys(problems).some((name) => !known.includes(name))
  return (
    <form
      className={`form ${className ?? ''}`}
      noValidate={false}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (sending.isPending) return
        const form = event.currentTarget
        setKnown(Array.from(form.elements, (field) => field.getAttribute('name') ?? '').filter((name) => name !== ''))
        sending.mutate(valuesOf(form))
      }}
    >
      <Problems value={problems}>{children}</Problems>
      {error && elsewhere && <ErrorNote error={error} />}
      <div className="dialog-foot">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" kind={kind} busy={sending.isPending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

interface FieldProps {
  label: string
  name: string
  hint?: ReactNode
  optional?: boolean
  wide?: boolean
}

interface Described {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** Label, field, what to know about it, and what is wrong with it. */
function Field({
  label,
  name,
  hint,
  optional,
  wide,
  children,
}: FieldProps & { children(described: Described): ReactNode }) {
  const id = useId()
  const problem = use(Problems)[name]
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`field ${wide ? 'wide' : ''}`}>
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      {children({ id, name, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem ? true : undefined })}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </div>
  )
}

type InputProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'className'>

export function TextField({ label, name, hint, optional, wide, ...input }: InputProps) {
  return (
    <Field {...{ label, name, hint, optional, wide }}>
      {(described) => (
        <input
          spellCheck={false}
          autoComplete="off"
          {...input}
          {...described}
          required={input.required ?? !optional}
          className="input"
        />
      )}
    </Field>
  )
}

export function AreaField({
  label,
  name,
  hint,
  optional,
  rows = 4,
  mono,
  ...rest
}: FieldProps & {
  rows?: number
  mono?: boolean
  defaultValue?: string
  placeholder?: string
  value?: string
  onChange?(text: string): void
}) {
  const { onChange, ...area } = rest
  return (
    <Field {...{ label, name, hint, optional }}>
      {(described) => (
        <textarea
          {...area}
          {...described}
          onChange={onChange && ((event) => onChange(event.currentTarget.value))}
          rows={rows}
          spellCheck={!mono}
          required={!optional}
          className={`input ${mono ? 'mono' : ''}`}
        />
      )}
    </Field>
  )
}

export function SelectField({
  label,
  name,
  hint,
  optional,
  options,
  value,
  defaultValue,
  onChange,
}: FieldProps & {
  options: readonly (readonly [value: string, text: string])[]
  value?: string
  defaultValue?: string
  onChange?(value: string): void
}) {
  return (
    <Field {...{ label, name, hint, optional }}>
      {(described) => (
        <select
          {...described}
          value={value}
          defaultValue={defaultValue}
          onChange={onChange && ((event) => onChange(event.currentTarget.value))}
          className="input"
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckField({
  label,
  name,
  value,
  hint,
  checked,
}: {
  label: ReactNode
  name: string
  value?: string
  hint?: ReactNode
  checked?: boolean
}) {
  return (
    <label className="check">
      <input type="checkbox" name={name} value={value} defaultChecked={checked} />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </label>
  )
}
