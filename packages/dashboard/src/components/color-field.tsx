/** A color, typed as #rrggbb or chosen with the browser's color picker. Both stay in sync. */
import { type ComponentProps, useRef } from 'react'
import { TextField } from './form.tsx'

/** Color of the picker while the text field is empty. */
const unset = '#808080'

/** Converts a typed color for the picker: #rgb and #rrggbbaa become #rrggbb. */
function asPicked(text: string): string {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1] ?? ''
  if (digits.length === 3 || digits.length === 4) {
    return `#${Array.from(digits.slice(0, 3), (digit) => digit + digit).join('')}`.toLowerCase()
  }
  return digits.length === 6 || digits.length === 8 ? `#${digits.slice(0, 6)}`.toLowerCase() : unset
}

/**
 * Sets the text of a field through the native setter and fires an event, so that React and the form notice the
 * change.
 */
function typeInto(field: HTMLInputElement, text: string): void {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setter?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

export function ColorField(props: ComponentProps<typeof TextField>) {
  const place = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const typed = (): HTMLInputElement | null => place.current?.querySelector<HTMLInputElement>('input.input') ?? null
  return (
    <div
      ref={place}
      className="color-field"
      onInput={({ target }) => {
        if (picker.current && target instanceof HTMLInputElement && target !== picker.current) {
          picker.current.value = asPicked(target.value)
        }
      }}
    >
      <TextField pattern="#[0-9a-fA-F]{3,8}" placeholder="#1a73e8" {...props} />
      <input
        ref={picker}
        type="color"
        aria-label={`Choose: ${props.label}`}
        defaultValue={asPicked(String(props.value ?? props.defaultValue ?? ''))}
        onInput={(event) => {
          event.stopPropagation()
          const field = typed()
          if (field) typeInto(field, event.currentTarget.value)
        }}
      />
    </div>
  )
}
