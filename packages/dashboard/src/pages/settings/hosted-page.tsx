import type { Application } from '@waypost/sdk'
import { api } from '../../api.ts'
import { Form, SelectField, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { refreshApplication } from './general.tsx'

const colours = [
  ['color_primary', 'Primary colour'],
  ['color_secondary', 'Secondary colour'],
  ['background_color', 'Background colour'],
] as const
const addresses = [
  ['background_image_url', 'Background image'],
  ['terms_of_service_url', 'Terms of service'],
  ['privacy_policy_url', 'Privacy policy'],
] as const

const alignments = ['left', 'center', 'right'] as const

export function HostedPage({ application }: { application: Application }) {
  const { application_id: id, hosted_authentication: hosted } = application
  return (
    <Card title="Hosted sign-in page" lead="The page where people choose a provider and connect their account.">
      <div className="card-body">
        <Form
          submit="Save page"
          onSubmit={(values) =>
            api(id).applications.update({
              body: {
                hosted_authentication: {
                  title: values.text('title'),
                  subtitle: values.text('subtitle'),
                  alignment: alignments.find((each) => each === values.text('alignment')),
                  spacing: values.number('spacing'),
                  color_primary: values.text('color_primary'),
                  color_secondary: values.text('color_secondary'),
                  background_color: values.text('background_color'),
                  background_image_url: values.text('background_image_url'),
                  terms_of_service_url: values.text('terms_of_service_url'),
                  privacy_policy_url: values.text('privacy_policy_url'),
                },
              },
            })
          }
          onDone={() => void refreshApplication(id)}
        >
          <div className="form-grid">
            <TextField label="Title" name="title" optional defaultValue={hosted.title ?? ''} />
            <TextField label="Subtitle" name="subtitle" optional defaultValue={hosted.subtitle ?? ''} />
            <SelectField
              label="Alignment"
              name="alignment"
              defaultValue={hosted.alignment ?? ''}
              options={[['', 'As usual'], ...alignments.map((each) => [each, each] as const)]}
            />
            <TextField
              label="Spacing"
              name="spacing"
              type="number"
              min={0}
              optional
              defaultValue={hosted.spacing ?? ''}
            />
            {colours.map(([name, label]) => (
              <TextField
                key={name}
                label={label}
                name={name}
                optional
                pattern="#[0-9a-fA-F]{3,8}"
                placeholder="#1a73e8"
                defaultValue={hosted[name] ?? ''}
              />
            ))}
            {addresses.map(([name, label]) => (
              <TextField key={name} label={label} name={name} type="url" optional defaultValue={hosted[name] ?? ''} />
            ))}
          </div>
        </Form>
      </div>
    </Card>
  )
}
