import type { Application } from '@waypost/sdk'
import { api } from '../../api.ts'
import { AreaField, Form, TextField } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { refreshApplication } from './general.tsx'

export function Identity({ application }: { application: Application }) {
  const { application_id: id, idp_settings: identity } = application
  return (
    <Card title="Identity origins" lead="Origins and token issuers that this application trusts.">
      <div className="card-body">
        <Form
          submit="Save identity"
          onSubmit={(values) =>
            api(id).applications.update({
              body: {
                idp_settings: {
                  origins: values.lines('origins').join(','),
                  issuers: values.lines('issuers').join(','),
                },
                domain: values.text('domain'),
              },
            })
          }
          onDone={() => void refreshApplication(id)}
        >
          <AreaField
            label="Allowed origins"
            name="origins"
            optional
            mono
            rows={3}
            hint="One per line, such as https://app.example.com. Use https, or http for localhost, without a path."
            defaultValue={(identity.origins ?? '').split(',').join('\n')}
          />
          <AreaField
            label="Trusted issuers"
            name="issuers"
            optional
            mono
            rows={3}
            hint="One per line: the iss claim of tokens from your identity provider."
            defaultValue={(identity.issuers ?? '').split(',').join('\n')}
          />
          <TextField label="Domain" name="domain" optional defaultValue={application.domain ?? ''} />
        </Form>
      </div>
    </Card>
  )
}
