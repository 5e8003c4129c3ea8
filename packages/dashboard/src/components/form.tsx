/** Forms with native fields: values are read on submit, and problems are shown at their fields. */
import { useMutation } from '@tanstack/react-query'
import { createContext, type InputHTMLAttributes, type ReactNode, use, useId, useState } from 'react'
import { useRights } from '../rights.ts'
import { Button } from './button.tsx'
import { type FieldProblems, sortProblems, unfold, useShownProblem } from './form-problems.ts'
import { carryOut, type Outcome } from './outcome.ts'
import { Prose } from './prose.tsx'
import { ErrorNote } from './states.tsx'

export { FieldError } from './form-problems.ts'

const Problems = createContext<FieldProblems>({})

export interface Values {
  /** Trimmed text of a field; undefined if empty. */
  text(name: string): string | undefined
  /** The exact text, for secrets. */
  exact(name: string): string
  number(name: string): number | undefined
  checked(name: string): boolean
  all(name: string): string[]
  /** Lines of a text area, without empty ones. */
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

export interface FormProps<T> extends Outcome {
  submit: string
  /** Text of the submit button while the form is sent, if that can take seconds. */
  busyLabel?: string
  onSubmit(values: Values): Promise<T>
  onDone?(result: T): void
  /** Converts an error for this form: returns a `FieldError` if the error concerns one of its fields. */
  explain?(error: unknown): unknown
  onCancel?: () => void
  /** Text of the button that calls `onCancel`. */
  cancel?: string
  /** Shown next to the buttons. */
  note?: ReactNode
  children: ReactNode
  kind?: 'primary' | 'danger-solid'
  className?: string
  /** The submit button is as wide as the form. */
  fullWidth?: boolean
  /** The form concerns the user's own account, so viewers may submit it too. */
  own?: boolean
}

export function Form<T>({
  submit,
  busyLabel = submit,
  onSubmit,
  onDone,
  explain = (error) => error,
  onCancel,
  cancel = 'Cancel',
  note,
  children,
  kind = 'primary',
  className,
  fullWidth,
  own,
  ...outcome
}: FormProps<T>) {
  const { change } = useRights()
  const readOnly = !own && !change
  const [names, setNames] = useState<string[]>([])
  const sending = useMutation({
    mutationFn: (values: Values) => carryOut(() => onSubmit(values), outcome),
    onSuccess: (result) => onDone?.(result),
  })
  const error = sending.error && explain(sending.error)
  // Problems with a field are shown at the field, all others in the note.
  const { atFields, isElsewhere } = sortProblems(error, names)
  const form = useShownProblem<HTMLFormElement>(sending.error)
  return (
    <form
      ref={form}
      className={`form ${className ?? ''}`}
      noValidate={false}
      onInvalidCapture={(event) => event.target instanceof Element && unfold(event.target)}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (sending.isPending) return
        const sent = event.currentTarget
        setNames(Array.from(sent.elements, (field) => field.getAttribute('name') ?? '').filter((name) => name !== ''))
        sending.mutate(valuesOf(sent))
      }}
    >
      <fieldset className="form" disabled={readOnly}>
        <Problems value={atFields}>{children}</Problems>
      </fieldset>
      {sending.error && isElsewhere && <ErrorNote error={error} />}
      <div className={`dialog-foot ${fullWidth ? 'wide' : ''}`}>
        {!readOnly && note}
        {readOnly && <p className="quiet small">You have the viewer role, so you cannot make changes.</p>}
        {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
        {!readOnly && (
          <Button type="submit" kind={kind} busy={sending.isPending}>
            {sending.isPending ? busyLabel : submit}
          </Button>
        )}
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

/** Label, field, hint and error message. */
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
          <Prose text={problem} />
        </span>
      )}
    </div>
  )
}

type InputProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'className' | 'onChange'> & {
    onChange?: ((text: string) => void) | undefined
  }

export function TextField({ label, name, hint, optional, wide, onChange, ...input }: InputProps) {
  return (
    <Field {...{ label, name, hint, optional, wide }}>
      {(described) => (
        <input
          spellCheck={false}
          autoComplete="off"
          {...input}
          {...described}
          onChange={onChange && ((event) => onChange(event.currentTarget.value))}
          data-autofocus={input.autoFocus || undefined}
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
  onChange,
}: {
  label: ReactNode
  name: string
  /** Value of one check box in `Choices`, which shows the error message for all of them. */
  value?: string
  hint?: ReactNode
  checked?: boolean
  onChange?: ((checked: boolean) => void) | undefined
}) {
  const id = useId()
  const problem = use(Problems)[name]
  const showsProblem = problem && value === undefined
  return (
    <label className="check">
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked}
        onChange={onChange && ((event) => onChange(event.target.checked))}
        aria-invalid={problem ? true : undefined}
        aria-describedby={showsProblem ? `${id}-problem` : undefined}
      />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
        {showsProblem && (
          <span className="problem" id={`${id}-problem`}>
            {problem}
          </span>
        )}
      </span>
    </label>
  )
}

/** Several check boxes with the same name. */
export function Choices({ legend, name, children }: { legend: string; name: string; children: ReactNode }) {
  const problem = use(Problems)[name]
  return (
    <fieldset className="field">
      <legend>
        {legend}
        {problem && <span className="problem"> {problem}</span>}
      </legend>
      <div className="choices">{children}</div>
    </fieldset>
  )
}
