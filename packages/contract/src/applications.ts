import { z } from 'zod'
import { CreatedAt, HttpUrl, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { RedirectUri, RedirectUriDraft } from './redirect-uris.ts'
import { route } from './route.ts'

export const Environment = z.enum(['production', 'staging', 'development', 'sandbox']).meta({
  id: 'Environment',
  description:
    'Purpose of an application. `sandbox` is the application that every installation starts with: up to 5 grants and connectors with fixed scopes. The other values have no effect.',
})
export type Environment = z.output<typeof Environment>
export const Region = z.enum(['us', 'eu']).meta({
  id: 'Region',
  description: 'Region of the installation, as set by the operator',
})
export type Region = z.output<typeof Region>

export const Branding = z
  .object({
    name: line(256).min(1).meta({ description: 'Name shown to end users when they sign in' }),
    icon_url: HttpUrl.nullish().meta({
      description: 'Icon next to the name on the sign-in pages. Must be an https URL to be shown',
    }),
    website_url: HttpUrl.nullish().meta({ description: 'Your web site. Stored only; not shown on the pages' }),
    description: line(2048).nullish().meta({
      description: 'Description of the application. Stored only; not shown on the pages',
    }),
  })
  .meta({ id: 'Branding', description: 'Name and icon that end users see when they grant access' })
export type Branding = z.output<typeof Branding>

const Color = z.string().regex(/^#[0-9a-fA-F]{3,8}$/, { error: 'must be a hex color such as #1a73e8' })
const color = (of: string) => Color.nullish().meta({ description: `Color of ${of}, such as \`#1a73e8\`` })

export const HostedAuthentication = z
  .object({
    background_image_url: HttpUrl.nullish().meta({
      description: 'Background image of the page, shown on wide screens. Must be an https URL to be shown',
    }),
    alignment: z.enum(['left', 'center', 'right']).nullish().meta({
      description: 'Position of the form on the page; default `center`',
    }),
    color_primary: color(
      'buttons and links. Button text is black or white, whichever is more readable. Links use the nearest readable color',
    ),
    color_secondary: color('the line above the form; default `color_primary`'),
    title: line(256).nullish().meta({ description: 'Heading of the first page; by default based on the name' }),
    subtitle: line(512).nullish().meta({ description: 'Line below the heading of the first page' }),
    background_color: color('the page background'),
    spacing: z.int().min(0).max(1000).nullish().meta({
      description: 'Padding of the form in pixels; values above 96 are reduced to 96',
    }),
    terms_of_service_url: HttpUrl.nullish().meta({ description: 'URL of the terms of service, linked below the form' }),
    privacy_policy_url: HttpUrl.nullish().meta({ description: 'URL of the privacy policy, linked below the form' }),
  })
  .meta({ id: 'HostedAuthentication', description: 'Appearance of the hosted sign-in pages for this application' })
export type HostedAuthentication = z.output<typeof HostedAuthentication>

/**
 * Parses an origin: https (http for localhost) without path, query or user. Returns undefined if the text is not one.
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.password) return undefined
  // Maximum length of a host name (RFC 1035 §2.3.4).
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
  .object({
    origins: Origins.nullish().meta({
      description:
        'Origins that browsers may call the API from (CORS), comma-separated: https, or http for localhost, such as `https://app.example.com`',
    }),
    issuers: z.string().max(8192).nullish().meta({
      description: 'Issuers of identity tokens, comma-separated. Stored only; the service does not contact them',
    }),
  })
  .meta({ id: 'IdpSettings', description: 'Allowed origins of browser requests' })
export type IdpSettings = z.output<typeof IdpSettings>

export const AdditionalSettings = z
  .object({
    login_url: HttpUrl.nullish().meta({ description: 'URL of your own sign-in page. Stored only' }),
    logout_url: HttpUrl.nullish().meta({ description: 'URL of your own sign-out page. Stored only' }),
    refresh_token_expiration_absolute: z.int().min(0).nullish().meta({
      description: 'Lifetime of a refresh token in seconds; 0 or absent: unlimited',
    }),
    refresh_token_expiration_idle: z.int().min(0).nullish().meta({
      description: 'Seconds without use after which a refresh token expires; 0 or absent: never',
    }),
    rotate_refresh_token: z.boolean().nullish().meta({
      description:
        'Whether a refresh token works only once and is replaced by a new one in the response. Reusing an old one revokes all tokens from the same code. Default: false.',
    }),
    allow_query_param_in_redirect_uri: z.boolean().nullish().meta({
      description: 'Whether redirect URIs may have query parameters; default false',
    }),
  })
  .meta({
    id: 'AdditionalSettings',
    description: 'Write-only settings of the application',
  })
export type AdditionalSettings = z.output<typeof AdditionalSettings>

const expandRecurringDefault = z.boolean().meta({
  description: 'Default of `expand_recurring` in event lists. Initially true.',
})
const allowHardDelete = z.boolean().meta({
  description: 'Whether messages can be deleted permanently with `hard_delete`. Initially false.',
})
const notificationStream = z.boolean().meta({
  description:
    'Whether notifications can be read with `GET /v3/notifications`. Initially false. Notifications are retained for it from the time it is turned on. When it is turned off, notifications without a subscribed destination are deleted',
})
const mcpEnabled = z.boolean().meta({
  description:
    'Whether assistants can use the application at the MCP endpoint (`/mcp`), with an API key or as a connected agent. Initially false.',
})
const notificationDays = z.int().min(2).max(90)

export const Application = z
  .object({
    application_id: Id.meta({ description: 'Id of the application, which is also its OAuth `client_id`' }),
    organization_id: Id.meta({ description: 'Id of the installation, the same for all its applications' }),
    region: Region.meta({ description: 'Region of the installation, as set by the operator' }),
    environment: Environment.meta({
      description: 'Purpose of the application. Only `sandbox` has limits: 5 grants and fixed scopes',
    }),
    default_workspace_id: Id.meta({
      description: 'Id of the default workspace, which has all grants that no other workspace has',
    }),
    domain: z.string().optional().meta({
      description: 'Your own host name. Stored only; the service is reached at its own URL. Absent if not set.',
    }),
    branding: Branding.meta({ description: 'Name and icon that end users see when they grant access' }),
    hosted_authentication: HostedAuthentication.meta({ description: 'Appearance of the sign-in pages' }),
    idp_settings: IdpSettings.meta({ description: 'Allowed origins of browser requests' }),
    expand_recurring_default: expandRecurringDefault,
    allow_hard_delete: allowHardDelete,
    notification_stream: notificationStream,
    mcp_enabled: mcpEnabled,
    notification_days: notificationDays.meta({
      description: 'Number of days for which notifications and the delivery log are retained',
    }),
    callback_uris: z
      .array(RedirectUri)
      .meta({ description: 'Redirect URIs to which users may return after a sign-in' }),
    blocked: z.boolean().meta({
      description: 'Whether an administrator blocked the application. Its calls then fail with 423',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({
    id: 'Application',
    description: 'A tenant of the installation with its own keys, connectors, grants and webhooks',
  })
export type Application = z.output<typeof Application>

export const ApplicationChange = z
  .object({
    branding: Branding.partial({ name: true })
      .meta({
        id: 'BrandingChange',
        description:
          'Name and icon that end users see when they grant access. Replaces the stored value; an absent name is kept',
      })
      .optional(),
    hosted_authentication: HostedAuthentication.optional().meta({
      description: 'Appearance of the sign-in pages. Replaces all previous values',
    }),
    idp_settings: IdpSettings.optional().meta({
      description: 'Allowed origins of browser requests. Replaces all previous values',
    }),
    callback_uris: z
      .array(
        RedirectUriDraft.extend({
          id: Id.optional().meta({ description: 'Id of the redirect URI to keep or change; absent for a new one' }),
        }),
      )
      .max(200)
      .optional()
      .meta({
        description:
          'All redirect URIs. An item with `id` keeps or changes that one, an item without `id` is created, and those not listed are removed',
      }),
    domain: line(253).optional().meta({
      description:
        'Your own host name. Stored only; the service is reached at its own URL. An empty string removes it.',
    }),
    expand_recurring_default: expandRecurringDefault.optional(),
    allow_hard_delete: allowHardDelete.optional(),
    notification_stream: notificationStream.optional(),
    mcp_enabled: mcpEnabled.optional(),
    notification_days: notificationDays.nullable().optional().meta({
      description:
        "Number of days for which notifications and the delivery log are retained, 2 to 90; null: the operator's setting",
    }),
    additional_settings: AdditionalSettings.optional().meta({
      description: 'Settings of tokens and redirect URIs. Replaces all previous values',
    }),
  })
  .meta({ id: 'ApplicationChange', description: 'Changes to the application. Absent fields stay unchanged.' })
export type ApplicationChange = z.output<typeof ApplicationChange>

const own = {
  application_id: Id.optional().meta({
    description: 'Id of the key\'s application, for clients that send it. Other ids return "not found"',
  }),
}

export const applications = {
  get: route({
    right: 'administration',
    method: 'GET',
    path: '/v3/applications',
    aliases: ['/v3/applications/:application_id'],
    summary: 'Get the application of the API key',
    description: 'Includes its settings and redirect URIs. `additional_settings` are never returned.',
    audience: 'application',
    query: z.object({ ...own, ...selectParam }),
    returns: Application,
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: '/v3/applications',
    aliases: ['/v3/applications/:application_id'],
    summary: 'Change the application of the API key',
    description:
      'Absent fields stay unchanged; a nested object replaces the stored one. Administrators create applications with `POST /v3/admin/applications`.',
    audience: 'application',
    query: z.object({ ...own, ...selectParam }),
    body: ApplicationChange,
    returns: Application,
    errors: ['not_found', 'conflict'],
  }),
}
