/** An input with its label, its mark if it is optional, and what is wrong with it. */
import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { usePage } from '../page.ts'
import type { ShownField } from './entries.ts'

interface FrameProps {
  name: string
  label: string
  isRequired: boolean
  wrong: string | undefined
  children: ComponentChildren
}

const idOf = (name: string): string => `input-${name}`

/** The attributes that connect an input with its message. */
const linksOf = (name: string, wrong: string | undefined) => ({
  id: idOf(name),
  name,
  'aria-invalid': wrong ? ('true' as const) : undefined,
  'aria-describedby': wrong ? `${idOf(name)}-wrong` : undefined,
})

const Wrong = ({ name, wrong }: { name: string; wrong: string | undefined }) =>
  wrong ? (
    <p class="wrong" id={`${idOf(name)}-wrong`}>
      {wrong}
    </p>
  ) : null

const Optional = ({ isRequired }: { isRequired: boolean }) => {
  const { t } = usePage()
  return isRequired ? null : <small> ({t('optional')})</small>
}

const Framed = ({ name, label, isRequired, wrong, children }: FrameProps) => (
  <div class="field">
    <label for={idOf(name)}>
      {label}
      <Optional isRequired={isRequired} />
    </label>
    {children}
    <Wrong name={name} wrong={wrong} />
  </div>
)

interface TextProps {
  name: string
  label: string
  type: 'text' | 'email' | 'tel' | 'date'
  value: string
  isRequired: boolean
  wrong: string | undefined
  autocomplete?: string
  change(value: string): void
}

interface InputProps {
  id: string
  name: string
  value: string
  required: boolean
  maxLength: number | undefined
  autocomplete: string | undefined
  onInput(event: TargetedEvent<HTMLInputElement>): void
}

/** One element for each type, because the attributes of inputs depend on it. */
const inputs: Record<TextProps['type'], (props: InputProps) => JSX.Element> = {
  text: (props) => <input {...props} type="text" />,
  email: (props) => <input {...props} type="email" />,
  tel: (props) => <input {...props} type="tel" />,
  date: (props) => <input {...props} type="date" />,
}

export const TextField = ({ name, label, type, value, isRequired, wrong, autocomplete, change }: TextProps) => {
  const Input = inputs[type]
  return (
    <Framed {...{ name, label, isRequired, wrong }}>
      <Input
        {...linksOf(name, wrong)}
        value={value}
        required={isRequired}
        maxLength={type === 'date' ? undefined : 2048}
        autocomplete={autocomplete}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </Framed>
  )
}

interface FieldProps {
  field: ShownField
  value: string
  wrong: string | undefined
  change(value: string): void
}

const Choice = ({ field, value, wrong, change }: FieldProps) => {
  const { t } = usePage()
  const name = `field.${field.key}`
  return (
    <Framed {...{ name, label: field.label, isRequired: field.required, wrong }}>
      <select
        {...linksOf(name, wrong)}
        value={value}
        required={field.required}
        onChange={(event) => change(event.currentTarget.value)}
      >
        <option value="">{t('choose_option')}</option>
        {field.options?.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </Framed>
  )
}

const Radios = ({ field, value, wrong, change }: FieldProps) => {
  const name = `field.${field.key}`
  return (
    <fieldset class="field" aria-describedby={wrong ? `${idOf(name)}-wrong` : undefined}>
      <legend>
        {field.label}
        <Optional isRequired={field.required} />
      </legend>
      {field.options?.map((option, index) => (
        <label class="option" key={option}>
          <input
            type="radio"
            id={index === 0 ? idOf(name) : undefined}
            name={name}
            value={option}
            checked={value === option}
            aria-invalid={wrong ? 'true' : undefined}
            onChange={() => change(option)}
          />
          <span>{option}</span>
        </label>
      ))}
      <Wrong name={name} wrong={wrong} />
    </fieldset>
  )
}

const Checkbox = ({ field, value, wrong, change }: FieldProps) => {
  const name = `field.${field.key}`
  return (
    <div class="field">
      <label class="option">
        <input
          {...linksOf(name, wrong)}
          type="checkbox"
          checked={value === 'true'}
          required={field.required}
          onChange={(event) => change(event.currentTarget.checked ? 'true' : '')}
        />
        <span>
          {field.label}
          <Optional isRequired={field.required} />
        </span>
      </label>
      <Wrong name={name} wrong={wrong} />
    </div>
  )
}

const LongText = ({ field, value, wrong, change }: FieldProps) => {
  const name = `field.${field.key}`
  return (
    <Framed {...{ name, label: field.label, isRequired: field.required, wrong }}>
      <textarea
        {...linksOf(name, wrong)}
        rows={3}
        maxLength={2048}
        value={value}
        required={field.required}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </Framed>
  )
}

const textTypes = { email: 'email', phone_number: 'tel', date: 'date' } as const
const autocompletes = { email: 'off', phone_number: 'tel' } as const

/** An additional field of the configuration. */
export function AdditionalInput(props: FieldProps) {
  const { field, value, wrong, change } = props
  const { type, key, label, required } = field
  if (type === 'dropdown') return <Choice {...props} />
  if (type === 'radio_button') return <Radios {...props} />
  if (type === 'checkbox') return <Checkbox {...props} />
  if (type === 'multi_line_text') return <LongText {...props} />
  const has = <T extends object>(table: T, name: string): name is Extract<keyof T, string> => Object.hasOwn(table, name)
  return (
    <TextField
      name={`field.${key}`}
      label={label}
      type={has(textTypes, type) ? textTypes[type] : 'text'}
      value={value}
      isRequired={required}
      wrong={wrong}
      autocomplete={has(autocompletes, type) ? autocompletes[type] : 'off'}
      change={change}
    />
  )
}
