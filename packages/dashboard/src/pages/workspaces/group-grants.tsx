import { api } from '../../api.ts'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, Form, TextField } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'

/** Starts the job that groups grants of the default workspace by their domain. */
export function GroupGrants({ application, onClose }: { application: string; onClose(): void }) {
  return (
    <Dialog title="Group grants by domain" onClose={onClose}>
      <p>
        Grants of the default workspace move to the workspace of their domain. A domain without a workspace gets one.
        Grants in other workspaces stay there.
      </p>
      <Form
        submit="Group grants"
        onCancel={onClose}
        onSubmit={(values) =>
          api(application).workspaces.autoGroup({
            body: {
              specific_domain: values.text('specific_domain') ?? null,
              invalid_also: values.checked('invalid_also'),
            },
          })
        }
        onDone={() => {
          showToast('Grants are grouped in the background')
          void refresh('workspaces', application)
          void refresh('grants', application)
          onClose()
        }}
      >
        <TextField label="Only this domain" name="specific_domain" optional placeholder="example.com" />
        <CheckField label="Also invalid grants" name="invalid_also" />
      </Form>
    </Dialog>
  )
}
