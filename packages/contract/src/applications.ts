import { z } from 'zod'
import { HttpUrl, Id, line, selectParam, Timestamp } from './fields.ts'
import { RedirectUri, RedirectUriDraft } from './redirect-uris.ts'
import { route } from './route.ts'

export const Environment = z.enum(['production', 'staging', 'development', 'sandbox']).meta({ id: 'Environment' })
export type Environment = z.output<typeof Environment>
export const Region = z.enum(['us', 'eu']).meta({ id: 'Region' })
export type Region = z.output<typeof Region>

export const Branding = z
  .object({
    name: line(256).min(1),
    icon_url: HttpUrl.nullish(),
    website_url: HttpUrl.nullish(),
    description: line(2048).nullish(),
  })
  .meta({ id: 'Branding' })
export type Branding = z.output<typeof Branding>

const Colour = z.string().regex(/^#[0-9a-fA-F]{3,8}$/, { error: 'must be a hex colour such as #1a73e8' })

export const HostedAuthentication = z
  .object({
    background_image_url: HttpUrl.nullish(),
    alignment: z.enum(['left', 'center', 'right']).nullish(),
    color_primary: Colour.nullish(),
    color_secondary: Colour.nullish(),
    title: line(256).nullish(),
    subtitle: line(512).nullish(),
    background_color: Colour.nullish(),
    spacing: z.int().min(0).max(1000).nullish(),
    terms_of_service_url: HttpUrl.nullish(),
    privacy_policy_url: HttpUrl.nullish(),
  })
  .meta({ id: 'HostedAuthentication' })
export type HostedAuthentication = z.output<typeof HostedAuthentication>

/** The origin that a text names, or undefined: https (http for this machine) with neither path nor query nor user. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.password) return undefined
  // No longer host name exists (RFC 1035 §2.3.4).
  if (url.hostname.length > 253) return undefined
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url.origin : undefined
}

const Origins = z
  .string()
  .max(8192)
  .refine((list) => list.split(',').every((item) => item.trim() === '' || parseOrigin(item) !== undefined), {
    error: 'must be a comma list of https origins (http for localhost), without path, query or user',
  })

export const IdpSettings = z
  .object({ origins: Origins.nullish(), issuers: z.string().max(8192).nullish() })
  .meta({ id: 'IdpSettings' })
export type IdpSettings = z.output<typeof IdpSettings>

export const AdditionalSettings = z
  .object({
    login_url: HttpUrl.nullish(),
    logout_url: HttpUrl.nullish(),
    refresh_token_expiration_absolute: z.int().min(0).nullish(),
    refresh_token_expiration_idle: z.int().min(0).nullish(),
    rotate_refresh_token: z.boolean().nullish(),
    allow_query_param_in_redirect_uri: z.boolean().nullish(),
  })
  .meta({ id: 'AdditionalSettings', description: 'Written, never answered' })
export type AdditionalSettings = z.output<typeof AdditionalSettings>

const expandRecurringDefault = z.boolean().meta({
  description: 'What `expand_recurring` is where a list of events does not say; true unless it is changed',
})
const allowHardDelete = z.boolean().meta({
  description: 'Whether messages may be deleted for ever with `hard_delete`; false unless it is changed',
})
const notificationStream = z.boolean().meta({
  description:
    'Whether notifications can be read with `GET /v3/notifications`; false unless it is changed. They are kept for it from then on; once it is off, what no destination is subscribed to is removed',
})
const notificationDays = z.int().min(2).max(90)

export const Application = z
  .object({
    application_id: Id.meta({ description: 'Also the OAuth client_id' }),
    organization_id: Id,
    region: Region,
    environment: Environment,
    default_workspace_id: Id,
    domain: z.string().optional(),
    branding: Branding,
    hosted_authentication: HostedAuthentication,
    idp_settings: IdpSettings,
    expand_recurring_default: expandRecurringDefault,
    allow_hard_delete: allowHardDelete,
    notification_stream: notificationStream,
    notification_days: notificationDays.meta({
      description: 'How many days notifications and the log of their deliveries are kept',
    }),
    callback_uris: z.array(RedirectUri),
    blocked: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Application' })
export type Application = z.output<typeof Application>

export const ApplicationChange = z
  .object({
    branding: Branding.partial({ name: true })
      .meta({ id: 'BrandingChange', description: 'Replaces the stored one; a name that is absent stays' })
      .optional(),
    hosted_authentication: HostedAuthentication.optional(),
    idp_settings: IdpSettings.optional(),
    callback_uris: z
      .array(RedirectUriDraft.extend({ id: Id.optional() }))
      .max(200)
      .optional()
      .meta({ description: 'Replaces the list: an item with `id` keeps or changes it, one without is created' }),
    domain: line(253).optional(),
    expand_recurring_default: expandRecurringDefault.optional(),
    allow_hard_delete: allowHardDelete.optional(),
    notification_stream: notificationStream.optional(),
    notification_days: notificationDays
      .nullable()
      .optional()
      .meta({ description: 'How many days notifications are kept; null: as many as the operator set' }),
    additional_settings: AdditionalSettings.optional(),
  })
  .meta({ id: 'ApplicationChange' })
export type ApplicationChange = z.output<typeof ApplicationChange>

const own = {
  application_id: Id.optional().meta({ description: 'The application of the API key: others are not found' }),
}

export const applications = {
  get: route({
    method: 'GET',
    path: '/v3/applications',
    aliases: ['/v3/applications/:application_id'],
    summary: 'Get the application of the API key',
    audience: 'application',
    query: z.object({ ...own, ...selectParam }),
    returns: Application,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/applications',
    aliases: ['/v3/applications/:application_id'],
    summary: 'Change the application of the API key',
    description: 'Fields that are absent stay as they are; a nested object replaces the stored one.',
    audience: 'application',
    query: z.object({ ...own, ...selectParam }),
    body: ApplicationChange,
    returns: Application,
    errors: ['not_found', 'conflict'],
  }),
}
