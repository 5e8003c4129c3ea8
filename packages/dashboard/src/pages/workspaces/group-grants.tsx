import { api } from '../../api.ts'
import { CheckField, TextField } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { refresh } from '../../queries.ts'

/** Starts the job that groups grants of the default workspace by their domain. */
export function GroupGrants({ application, onClose }: { application: string; onClose(): void }) {
  return (
    <FormDialog
      title="Group grants by domain"
      onClose={onClose}
      submit="Group grants"
      onSubmit={(values) =>
        api(application).workspaces.autoGroup({
          body: {
            specific_domain: values.text('specific_domain') ?? null,
            invalid_also: values.checked('invalid_also'),
          },
        })
      }
      reload={() => Promise.all([refresh('workspaces', application), refresh('grants', application)])}
      done="Grants are grouped in the background"
    >
      <p>
        Grants of the default workspace move to the workspace of their domain. A domain without a workspace gets one.
        Grants in other workspaces stay there.
      </p>{' '}
      <TextField label="Only this domain" name="specific_domain" optional placeholder="example.com" />
      <CheckField label="Also invalid grants" name="invalid_also" />
    </FormDialog>
  )
}
