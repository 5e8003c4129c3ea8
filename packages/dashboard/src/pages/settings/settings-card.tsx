/** A card with one form of settings. Saving changes the application, or what `onSubmit` changes instead. */
import type { Application, ApplicationChange } from '@waypost/sdk'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { Form, type Values } from '../../components/form.tsx'
import { Card } from '../../components/page.tsx'
import { showToast } from '../../components/toast.tsx'
import { refresh } from '../../queries.ts'

/** Reloads everything that shows the application, because its name is also shown in lists. */
export async function refreshApplication(application: string): Promise<void> {
  await Promise.all([refresh('application', application), refresh('applications')])
  showToast('Saved')
}

interface SettingsFormProps {
  application: Application
  submit: string
  onSubmit(values: Values): Promise<unknown>
  children: ReactNode
}

export function SettingsForm({ application, ...form }: SettingsFormProps) {
  return <Form {...form} onDone={() => void refreshApplication(application.application_id)} />
}

interface SettingsCardProps extends Omit<SettingsFormProps, 'onSubmit'> {
  title: string
  lead?: string
  changeIn(values: Values): ApplicationChange
}

export function SettingsCard({ title, lead, changeIn, ...form }: SettingsCardProps) {
  const { applications } = api(form.application.application_id)
  return (
    <Card title={title} lead={lead}>
      <div className="card-body">
        <SettingsForm {...form} onSubmit={(values) => applications.update({ body: changeIn(values) })} />
      </div>
    </Card>
  )
}
