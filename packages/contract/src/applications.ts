import { z } from 'zod'
import { CreatedAt, HttpUrl, Id, line, selectParam, UpdatedAt } from './fields.ts'
import { RedirectUri, RedirectUriDraft } from './redirect-uris.ts'
import { route } from './route.ts'

export const Environment = z.enum(['production', 'staging', 'development', 'sandbox']).meta({
  id: 'Environment',
  description:
    'What an application is for. `sandbox` is the one that every installation begins with: up to 5 grants, and connectors whose scopes are fixed. The others differ by name alone.',
})
export type Environment = z.output<typeof Environment>
export const Region = z.enum(['us', 'eu']).meta({
  id: 'Region',
  description: 'Where the operator says that the installation stands',
})
export type Region = z.output<typeof Region>

export const Branding = z
  .object({
    name: line(256).min(1).meta({ description: 'Name that end users see when they sign in' }),
    icon_url: HttpUrl.nullish().meta({
      description: 'Picture beside the name on the sign-in pages; shown where it is an https address',
    }),
    website_url: HttpUrl.nullish().meta({ description: 'Your web site: kept for you, the pages do not show it' }),
    description: line(2048).nullish().meta({
      description: 'What the application is: kept for you, the pages do not show it',
    }),
  })
  .meta({ id: 'Branding', description: 'Who end users see that they give access to' })
export type Branding = z.output<typeof Branding>

const Colour = z.string().regex(/^#[0-9a-fA-F]{3,8}$/, { error: 'must be a hex colour such as #1a73e8' })
const colour = (of: string) => Colour.nullish().meta({ description: `Colour of ${of}, such as \`#1a73e8\`` })

export const HostedAuthentication = z
  .object({
    background_image_url: HttpUrl.nullish().meta({
      description: 'Picture behind the page; shown on wide screens, and where it is an https address',
    }),
    alignment: z.enum(['left', 'center', 'right']).nullish().meta({
      description: 'Where on the screen the form stands; `center` when absent',
    }),
    color_primary: colour(
      'buttons, where the text is black or white, whichever is read better, and links, in the nearest colour that can be read',
    ),
    color_secondary: colour('the line on top of the form; `color_primary` when absent'),
    title: line(256).nullish().meta({ description: 'Heading of the first page; made of the name when absent' }),
    subtitle: line(512).nullish().meta({ description: 'Line below the heading of the first page' }),
    background_color: colour('the page behind the form'),
    spacing: z.int().min(0).max(1000).nullish().meta({
      description: 'Space around the content of the form in pixels; more than 96 is taken as 96',
    }),
    terms_of_service_url: HttpUrl.nullish().meta({ description: 'Terms of service, linked to below the form' }),
    privacy_policy_url: HttpUrl.nullish().meta({ description: 'Privacy policy, linked to below the form' }),
  })
  .meta({ id: 'HostedAuthentication', description: 'How the sign-in pages of the service look for this application' })
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
  .object({
    origins: Origins.nullish().meta({
      description:
        'Origins that browsers may call the API from (CORS), with commas between them: https, or http for localhost, such as `https://app.example.com`',
    }),
    issuers: z.string().max(8192).nullish().meta({
      description: 'Issuers of identity tokens, with commas between them: kept for you, the service asks none of them',
    }),
  })
  .meta({ id: 'IdpSettings', description: 'Where requests of browsers may come from' })
export type IdpSettings = z.output<typeof IdpSettings>

export const AdditionalSettings = z
  .object({
    login_url: HttpUrl.nullish().meta({ description: 'Sign-in page of your own: kept for you, without effect' }),
    logout_url: HttpUrl.nullish().meta({ description: 'Sign-out page of your own: kept for you, without effect' }),
    refresh_token_expiration_absolute: z.int().min(0).nullish().meta({
      description: 'Seconds after which a refresh token expires, however it is used; 0 or absent: never',
    }),
    refresh_token_expiration_idle: z.int().min(0).nullish().meta({
      description: 'Seconds without use after which a refresh token expires; 0 or absent: never',
    }),
    rotate_refresh_token: z.boolean().nullish().meta({
      description:
        'Whether a refresh token is good once, and the next one comes with the answer. One that is shown again ends all that came from the same code. false when absent.',
    }),
    allow_query_param_in_redirect_uri: z.boolean().nullish().meta({
      description: 'Whether redirect URIs may have query parameters; false when absent',
    }),
  })
  .meta({
    id: 'AdditionalSettings',
    description: 'Settings of the application that can be written, and are never answered',
  })
export type AdditionalSettings = z.output<typeof AdditionalSettings>

const expandRecurringDefault = z.boolean().meta({
  description: 'What `expand_recurring` is where a list of events does not say. true unless it is changed.',
})
const allowHardDelete = z.boolean().meta({
  description: 'Whether messages may be deleted for ever with `hard_delete`. false unless it is changed.',
})
const notificationStream = z.boolean().meta({
  description:
    'Whether notifications can be read with `GET /v3/notifications`; false unless it is changed. They are kept for it from then on; once it is off, what no destination is subscribed to is removed',
})
const notificationDays = z.int().min(2).max(90)

export const Application = z
  .object({
    application_id: Id.meta({ description: 'Id of the application: also the `client_id` of OAuth' }),
    organization_id: Id.meta({ description: 'Id of the installation: the same for all its applications' }),
    region: Region.meta({ description: 'Where the operator says that the installation stands' }),
    environment: Environment.meta({
      description: 'What the application is for; only `sandbox` has limits of its own: 5 grants, and fixed scopes',
    }),
    default_workspace_id: Id.meta({ description: 'Workspace that its grants are in' }),
    domain: z.string().optional().meta({
      description:
        'Host name of your own: kept for you, the service answers at its own address. Absent where none was set.',
    }),
    branding: Branding.meta({ description: 'Who end users see that they give access to' }),
    hosted_authentication: HostedAuthentication.meta({ description: 'How the sign-in pages look' }),
    idp_settings: IdpSettings.meta({ description: 'Where requests of browsers may come from' }),
    expand_recurring_default: expandRecurringDefault,
    allow_hard_delete: allowHardDelete,
    notification_stream: notificationStream,
    notification_days: notificationDays.meta({
      description: 'How many days notifications and the log of their deliveries are kept',
    }),
    callback_uris: z
      .array(RedirectUri)
      .meta({ description: 'Redirect URIs: where users may come back to from a sign-in' }),
    blocked: z.boolean().meta({
      description: 'Whether the administrator blocked it: its calls are answered with 423',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({
    id: 'Application',
    description: 'A tenant of the installation: it has its own keys, connectors, grants and webhooks',
  })
export type Application = z.output<typeof Application>

export const ApplicationChange = z
  .object({
    branding: Branding.partial({ name: true })
      .meta({
        id: 'BrandingChange',
        description: 'Who end users see that they give access to: replaces what was there; a name that is absent stays',
      })
      .optional(),
    hosted_authentication: HostedAuthentication.optional().meta({
      description: 'How the sign-in pages look: replaces all that was set before',
    }),
    idp_settings: IdpSettings.optional().meta({
      description: 'Where requests of browsers may come from: replaces what was there',
    }),
    callback_uris: z
      .array(
        RedirectUriDraft.extend({
          id: Id.optional().meta({ description: 'Redirect URI that is kept or changed; a new one when absent' }),
        }),
      )
      .max(200)
      .optional()
      .meta({
        description:
          'All redirect URIs: an item with `id` keeps or changes that one, an item without is created, and those that are not named are removed',
      }),
    domain: line(253).optional().meta({
      description:
        'Host name of your own: kept for you, the service answers at its own address. An empty text removes it.',
    }),
    expand_recurring_default: expandRecurringDefault.optional(),
    allow_hard_delete: allowHardDelete.optional(),
    notification_stream: notificationStream.optional(),
    notification_days: notificationDays.nullable().optional().meta({
      description:
        'How many days notifications and the log of their deliveries are kept, 2 to 90; null: as many as the operator set',
    }),
    additional_settings: AdditionalSettings.optional().meta({
      description: 'Settings of tokens and redirect URIs: replaces all that were set before',
    }),
  })
  .meta({ id: 'ApplicationChange', description: 'What is to change of the application. What is left out stays.' })
export type ApplicationChange = z.output<typeof ApplicationChange>

const own = {
  application_id: Id.optional().meta({
    description: 'Id of the application of the API key, for clients that send it: others are not found',
  }),
}

export const applications = {
  get: route({
    method: 'GET',
    path: '/v3/applications',
    aliases: ['/v3/applications/:application_id'],
    summary: 'Get the application of the API key',
    description: 'With its settings and its redirect URIs; `additional_settings` are never answered.',
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
    description:
      'Fields that are absent stay as they are; a nested object replaces the stored one. Applications are created by the administrator: `POST /v3/admin/applications`.',
    audience: 'application',
    query: z.object({ ...own, ...selectParam }),
    body: ApplicationChange,
    returns: Application,
    errors: ['not_found', 'conflict'],
  }),
}
