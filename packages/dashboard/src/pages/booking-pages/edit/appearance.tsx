import { ColorField } from '../../../components/color-field.tsx'
import { AreaField, TextField } from '../../../components/form.tsx'
import { setAppearance } from '../changes.ts'
import { Section, type SectionProps } from './section.tsx'

/** Longest text of the appearance. */
const maxLength = 550

export function AppearanceSection({ draft, edit }: SectionProps) {
  const appearance = draft.appearance ?? {}
  const textOf = (name: string): string => appearance[name] ?? ''
  return (
    <Section title="Appearance" lead="Color, logo and texts of the page">
      <div className="form-grid">
        <ColorField
          optional
          label="Color"
          name="appearance.color"
          value={textOf('color')}
          onChange={(text) => edit(setAppearance('color', text))}
        />
        <TextField
          optional
          label="Logo"
          name="appearance.company_logo_url"
          type="url"
          placeholder="https://"
          hint="Address of an image."
          maxLength={maxLength}
          value={textOf('company_logo_url')}
          onChange={(text) => edit(setAppearance('company_logo_url', text))}
        />
        <TextField
          optional
          label="Text of the button"
          name="appearance.submit_button_label"
          maxLength={maxLength}
          placeholder="Book"
          value={textOf('submit_button_label')}
          onChange={(text) => edit(setAppearance('submit_button_label', text))}
        />
      </div>
      <AreaField
        optional
        label="Text after booking"
        name="appearance.thank_you_message"
        rows={2}
        value={textOf('thank_you_message')}
        onChange={(text) => edit(setAppearance('thank_you_message', text.slice(0, maxLength)))}
      />
    </Section>
  )
}
