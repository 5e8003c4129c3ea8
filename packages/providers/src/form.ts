/**
 * The form of our sign-in page, for providers without a page of their own. It is data, so that the page names no
 * provider. Texts are keys: the page has them in every language.
 */
import type { ProviderKind } from '@waypost/contract'

/** The vendors' names for a password for other applications. */
export type PasswordKey =
  | 'form.app_password'
  | 'form.app_specific_password'
  | 'form.application_specific_password'
  | 'form.external_password'
  | 'form.authorization_code'
  | 'form.secure_mail_key'

export type FormKey =
  | PasswordKey
  | `form.${'password' | 'user_name' | 'server' | 'port' | 'if_other' | 'address_example'}`
  | `form.${'letters_hint' | 'apple_password_hint' | 'apple_account' | 'apple_account_note' | 'apple_account_address'}`
  | `form.${'work_user_hint' | 'work_server_note' | 'work_server_hint'}`
  | `form.incoming${'' | '_server' | '_server_hint' | '_port' | '_user'}`
  | `form.outgoing${'' | '_server' | '_server_hint' | '_port' | '_user' | '_password' | '_note'}`
  | `form.${'servers_unknown' | 'servers_foreign' | 'user_names' | 'user_names_note'}`
  | `form.${'calendars_contacts' | 'calendars_contacts_note' | 'calendars_address' | 'contacts_address'}`
  | `form.${'dav_user' | 'dav_password'}`

export interface FormField {
  /** As in the settings of custom authentication. */
  name: string
  label: FormKey
  kind: 'text' | 'password' | 'port'
  /** The initial value. */
  value?: string | undefined
  hint?: FormKey | undefined
  /** What a browser fills in (HTML autofill). */
  autocomplete?: string | undefined
  required?: boolean | undefined
}

/** The field of a password, which the user must fill in. */
export const passwordField = (label: FormKey, { name = 'password', hint }: Partial<FormField> = {}): FormField => ({
  name,
  label,
  kind: 'password',
  autocomplete: 'current-password',
  hint,
  required: true,
})

export interface FormSection {
  title?: FormKey | undefined
  note?: FormKey | undefined
  fields: readonly FormField[]
  /** It is under "More settings", because most users do not need it. */
  folded?: boolean | undefined
  /** It is not under "More settings", because its value is not known. */
  needed?: boolean | undefined
}

/** What to do before signing in. */
export type FormAdvice =
  /** The usual password is not accepted: other applications need another one. */
  | { kind: 'password'; vendor: string; name: PasswordKey; url: string; twoStep: boolean }
  /** Mail programs must be enabled first. */
  | { kind: 'mail_programs'; vendor: string; url: string }
  /** For servers of organizations; users of cloud mailboxes sign in at `cloud`. */
  | { kind: 'own_exchange'; cloud: ProviderKind }

/** The provider's own sign-in page is the right way to connect an account, or the only one. */
export interface FormInstead {
  provider: ProviderKind
  /** The name that users know. */
  vendor: string
  /** `none`: no password opens the account. `perhaps`: so it seems by its MX hosts, which may be only a filter. */
  passwords: 'none' | 'perhaps' | 'app'
}

export interface FormShape {
  advice?: FormAdvice | undefined
  instead?: FormInstead | undefined
  sections: readonly FormSection[]
}

export interface ServiceHost {
  host: string
  port: number
}

/** The facts that are known when the form is shown. */
export interface FormFacts {
  email: string
  /** One of `vendors`, if the user chose it. */
  vendor?: string | undefined
  /** The MX hosts of the domain, best one first. */
  exchanges: readonly string[]
  /** The hosts that the domain names for its services, by service. */
  services: Readonly<Record<string, ServiceHost | undefined>>
  /** The application wants to send mail. */
  sends: boolean
}

export interface CredentialForm {
  /** The name that users know; absent if the provider is for accounts anywhere. */
  title?: string
  /** Whether it accepts accounts of any provider. It is then used for addresses that belong to no other provider. */
  anyAddress?: true
  /** Vendor names that users know for this kind; an entry that another kind also serves names that kind. */
  vendors: readonly { id: string; title: string; provider?: string | undefined }[]
  /** Services to look up in the domain (SRV records, RFC 6186), such as `_imaps._tcp`. */
  services?: readonly string[]
  shapeFor(facts: FormFacts): FormShape
  /**
   * The settings of custom authentication from the user's input; throws `invalid_request` naming `settings.<field>`.
   */
  settingsOf(email: string, written: Record<string, string>, options: { sends: boolean }): Record<string, unknown>
  /** Settings that must not change when an account is connected again. */
  fixed: readonly string[]
  /** How the owner of a connected account proves that it is theirs. */
  proof: FormProof
}

/**
 * The proof that a person owns a connected account. The settings that decide which account a password opens come from
 * the grant. Otherwise somebody could name a server or a user name of their own.
 */
export interface FormProof {
  /** Settings that are taken from the grant, whatever a person enters. */
  settings: readonly string[]
  /** Fields that the person fills in. */
  fields: readonly string[]
}
