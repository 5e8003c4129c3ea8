/** Installation settings that owners can change at run time. */
import { z } from 'zod'
import { limitingObject } from './limiting.ts'
import { Role } from './people.ts'
import { route } from './route.ts'

const RequiredRoles = z.array(Role).max(3).meta({
  description:
    'Roles that need a second factor to sign in with a password. Empty: none. For sign-in with OpenID Connect, the provider decides.',
})

export const Installation = z
  .object({
    installation_password: z.boolean().meta({
      description: "Whether sign-in with the installation's password, user `admin`, is on",
    }),
    password_of_settings: z.boolean().meta({
      description: 'Whether the operator set it with WAYPOST_ADMIN_PASSWORD, so that it can only be changed there',
    }),
    second_factor_required_for: RequiredRoles,
  })
  .meta({ id: 'Installation', description: 'Installation settings that owners can change' })
export type Installation = z.output<typeof Installation>

export const installation = {
  get: route({
    method: 'GET',
    path: '/v3/admin/installation',
    summary: 'Get the settings of the installation',
    description: 'Owners only.',
    audience: 'administrator',
    returns: Installation,
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/admin/installation',
    summary: 'Change the settings of the installation',
    description:
      "Turns the installation's password on or off, and sets the roles that require a second factor. Owners only. The password can be turned off once an owner can sign in without it; this ends its sessions. People without a required second factor must set it up before they can do anything else, even in open sessions. You need one yourself first. To require it for owners, the installation's password must be off, because it has no second factor. If everyone is locked out, use `waypost dashboard link`, `waypost dashboard password on` or `waypost people second-factor none`.",
    audience: 'administrator',
    body: limitingObject({
      installation_password: z.boolean().optional().meta({ description: '`false` turns it off, `true` turns it on' }),
      second_factor_required_for: RequiredRoles.optional(),
    })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        message: 'set installation_password or second_factor_required_for',
      })
      .meta({ id: 'InstallationChange', description: 'Changes to the installation. Absent fields stay unchanged' }),
    returns: Installation,
    errors: ['conflict'],
  }),
}
