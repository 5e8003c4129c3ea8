import type { Application } from '@waypost/sdk'
import { useRef, useState } from 'react'
import { ColorField } from '../../components/color-field.tsx'
import { SelectField, TextField } from '../../components/form.tsx'
import '../../styles/hosted-page.css'
import { HostedContrast } from './hosted-contrast.tsx'
import { HostedPreview } from './hosted-preview.tsx'
import { alignments, hostedIn, hostedInForm } from './hosted-settings.ts'
import { SettingsCard } from './settings-card.tsx'

const colors = [
  ['color_primary', 'Primary color'],
  ['color_secondary', 'Secondary color'],
  ['background_color', 'Background color'],
] as const
const addresses = [
  ['background_image_url', 'Background image URL'],
  ['terms_of_service_url', 'Terms of service URL'],
  ['privacy_policy_url', 'Privacy policy URL'],
] as const

export function HostedPage({ application }: { application: Application }) {
  const [draft, setDraft] = useState(application.hosted_authentication)
  const place = useRef<HTMLDivElement>(null)
  const read = (): void => {
    const form = place.current?.querySelector('form')
    if (form) setDraft(hostedInForm(form))
  }
  const use = (color: string): void => {
    const field = place.current?.querySelector<HTMLInputElement>('[name=color_primary]')
    if (!field) return
    field.value = color
    // Also updates the color picker next to the field.
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  }
  return (
    <div className="hosted-page">
      {/* Listens to input for the preview; labels and keyboard handling belong to the fields in the form. */}
      <div ref={place} onInput={read}>
        <HostedForm application={application} />
      </div>
      <HostedPreview application={application} hosted={draft}>
        <HostedContrast hosted={draft} onUse={use} />
      </HostedPreview>
    </div>
  )
}

function HostedForm({ application }: { application: Application }) {
  const { hosted_authentication: hosted } = application
  return (
    <SettingsCard
      title="Hosted sign-in page"
      lead="The page where people choose a provider and connect their account."
      submit="Save page"
      application={application}
      changeIn={({ text }) => ({ hosted_authentication: hostedIn(text) })}
    >
      <div className="form-grid">
        <TextField label="Title" name="title" optional defaultValue={hosted.title ?? ''} />
        <TextField label="Subtitle" name="subtitle" optional defaultValue={hosted.subtitle ?? ''} />
        <SelectField
          label="Alignment"
          name="alignment"
          defaultValue={hosted.alignment ?? ''}
          options={[['', 'Default'], ...alignments.map((each) => [each, each] as const)]}
        />
        <TextField label="Spacing" name="spacing" type="number" min={0} optional defaultValue={hosted.spacing ?? ''} />
        {colors.map(([name, label]) => (
          <ColorField key={name} label={label} name={name} optional defaultValue={hosted[name] ?? ''} />
        ))}
        {addresses.map(([name, label]) => (
          <TextField key={name} label={label} name={name} type="url" optional defaultValue={hosted[name] ?? ''} />
        ))}
      </div>
    </SettingsCard>
  )
}
