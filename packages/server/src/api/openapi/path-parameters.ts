/** Descriptions of path parameters, by name, or by resource and name if several resources use the name. */
const words: Readonly<Record<string, string>> = {
  grant_id:
    'The grant: its id, the email address of the account, `grant:<id>`, `email:<address>`, `external:<your own id>`, or `me` with an access token.',
  application_id: 'The id of the application.',
  person_id: 'The id of the person.',
  service_account_id: 'The id of the service account.',
  session_id: 'The id of the session. It is not a credential.',
  provider: 'The provider of the connector, such as `google`.',
  calendar_id: 'The id of the calendar, or `primary` for the main one of the account.',
  event_id: 'The id of the event. A series and each of its instances have different ids.',
  message_id: 'The id of the message.',
  draft_id: 'The id of the draft.',
  thread_id: 'The id of the thread.',
  folder_id: 'The id of the folder, URL-encoded.',
  attachment_id: 'The id of the attachment, from its message.',
  upload_id: 'The `attachment_id` from the response that began the upload.',
  schedule_id: 'The `schedule_id` from the response to the send request.',
  contact_id: 'The id of the contact.',
  group_id: 'The id of the group of contacts.',
  signature_id: 'The id of the signature.',
  template_id: 'The id of the template.',
  configuration_id: 'The id of the configuration.',
  former_slug: 'The slug of a page of version 2.',
  booking_id: 'The id of the booking, from the response that created it.',
  approval_id: 'The id of the approval, from the 202 response to the request that needs it.',
  'schedulingSessions.session_id': 'The `session_id` from the response that created the session.',
  workflow_id: 'The id of the workflow.',
  agent_id: 'The id of the agent.',
  workspace_id: 'The id of the workspace, or its domain, such as `example.com`.',
  'redirectUris.id': 'The id of the redirect URI.',
  'credentials.id': 'The id of the credential.',
  'webhooks.id': 'The id of the webhook destination.',
  channel_id: 'The id of the channel.',
  'deliveries.id': 'The id of the webhook destination.',
  notification_id: 'The id of the notification: the `id` of its envelope.',
  'notifications.id': 'The id of the notification.',
  'failedJobs.id': 'The id of the failed job.',
  'apiKeys.id': 'The id of the API key. It is not a secret.',
}

/** The description of a parameter in the paths of a resource. */
export const wordsOf = (resource: string, name: string): string | undefined =>
  words[`${resource}.${name}`] ?? words[name]
