import { z } from 'zod'
import { CreatedAt, Id, line, selectParam } from './fields.ts'
import { route } from './route.ts'

export const Platform = z.enum(['web', 'desktop', 'js', 'ios', 'android']).meta({
  id: 'Platform',
  description:
    'What users come back to: `web` a site, `desktop` a program, `js` a page that calls the API itself, `ios` and `android` apps, which may have addresses with a scheme of their own',
})
export type Platform = z.output<typeof Platform>

export const RedirectUriSettings = z
  .object({
    origin: line(512).optional().meta({
      description: 'Origin that the page calls the API from (CORS): https, or http for localhost. Required for `js`.',
    }),
    bundle_id: line(256).optional().meta({ description: 'Bundle id of the app; required for `ios`' }),
    app_store_id: line(256).optional().meta({ description: 'Id of the app in the App Store, for `ios`' }),
    team_id: line(256).optional().meta({ description: 'Id of the team at Apple, for `ios`' }),
    package_name: line(256).optional().meta({ description: 'Package name of the app; required for `android`' }),
    sha1_certificate_fingerprint: line(256).optional().meta({
      description: 'SHA-1 fingerprint of the certificate that the app is signed with; required for `android`',
    }),
  })
  .meta({ id: 'RedirectUriSettings', description: 'What belongs to a redirect URI, by its platform' })
export type RedirectUriSettings = z.output<typeof RedirectUriSettings>

const SettingsInput = RedirectUriSettings.extend({
  sha_1_certificate_fingerprint: line(256).optional().meta({
    description: 'Another spelling of `sha1_certificate_fingerprint`, which one published client writes',
  }),
})
  .transform(
    ({ sha_1_certificate_fingerprint: spelled, ...settings }): RedirectUriSettings => ({
      ...(spelled !== undefined && { sha1_certificate_fingerprint: spelled }),
      ...settings,
    }),
  )
  .meta({
    description:
      'What the platform needs: `origin` for `js`; `bundle_id` for `ios`; `package_name` and `sha1_certificate_fingerprint` for `android`; nothing for `web` and `desktop`',
  })

export const RedirectUri = z
  .object({
    id: Id.meta({ description: 'Id of the redirect URI' }),
    platform: Platform.meta({ description: 'What users come back to' }),
    url: z.string().meta({ description: 'The address, compared byte for byte when a sign-in names it' }),
    settings: RedirectUriSettings.meta({ description: 'What the platform needs; `{}` where that is nothing' }),
    created_at: CreatedAt,
  })
  .meta({ id: 'RedirectUri', description: 'An address that users may be sent back to from a hosted sign-in' })
export type RedirectUri = z.output<typeof RedirectUri>

const url = z.string().min(1).max(2048).meta({
  description:
    'https address (http for localhost and 127.0.0.1), or `scheme://…` for `ios` and `android`; without fragment, and without query unless the application allows it. Up to 2048 bytes.',
})

export const RedirectUriDraft = z
  .object({
    url,
    platform: Platform.default('web').meta({ description: 'What users come back to; `web` when absent' }),
    settings: SettingsInput.optional(),
  })
  .meta({ id: 'RedirectUriDraft', description: 'A redirect URI to be registered' })
export type RedirectUriDraft = z.output<typeof RedirectUriDraft>

export const RedirectUriChange = z
  .object({
    url: url.optional(),
    platform: Platform.optional().meta({ description: 'What users come back to' }),
    settings: SettingsInput.optional(),
  })
  .meta({ id: 'RedirectUriChange', description: 'What is to change of a redirect URI. What is left out stays.' })
export type RedirectUriChange = z.output<typeof RedirectUriChange>

const at = '/v3/applications/redirect-uris'
const alias = '/v3/applications/callback-uris'

export const redirectUris = {
  list: route({
    method: 'GET',
    path: at,
    aliases: [alias],
    summary: 'List the redirect URIs of the application',
    description: 'Whole: there are no pages.',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    list: 'whole',
  }),
  create: route({
    method: 'POST',
    path: at,
    aliases: [alias],
    summary: 'Register a redirect URI',
    description:
      'An https address (http for localhost and 127.0.0.1), or `scheme://deeplink` for ios and android. It is compared byte for byte when an end user signs in.',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriDraft,
    returns: RedirectUri,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Get one redirect URI',
    description: 'With what its platform needs.',
    audience: 'application',
    query: z.object(selectParam),
    returns: RedirectUri,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PATCH',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Change a redirect URI',
    description: 'Fields that are left out stay; `settings` replaces what was there.',
    audience: 'application',
    query: z.object(selectParam),
    body: RedirectUriChange,
    returns: RedirectUri,
    errors: ['not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:id`,
    aliases: [`${alias}/:id`],
    summary: 'Remove a redirect URI',
    description: 'No further sign-in can name it.',
    audience: 'application',
    errors: ['not_found'],
  }),
}
