/**
 * What a page of ours asks users for, where their provider has no sign-in page of its own: data, so that the page names no
 * provider. Texts are keys: the page has the words in every language.
 */
import type { ProviderKind } from '@waypost/contract'

/** What vendors call the password for other applications. */
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
  /** What stands there before the user writes anything. */
  value?: string | undefined
  hint?: FormKey | undefined
  /** What a browser fills in (HTML, autofill). */
  autocomplete?: string | undefined
  required?: boolean | undefined
}

export interface FormSection {
  title?: FormKey | undefined
  note?: FormKey | undefined
  fields: readonly FormField[]
  /** It stands under "More settings": most users need not look at it. */
  folded?: boolean | undefined
  /** It does not, because what has to stand there is not known. */
  needed?: boolean | undefined
}

/** What to do before signing in. */
export type FormAdvice =
  /** The usual password is not taken: there is another one for other applications. */
  | { kind: 'password'; vendor: string; name: PasswordKey; url: string; twoStep: boolean }
  /** Mail programs must be let in first. */
  | { kind: 'mail_programs'; vendor: string; url: string }
  /** For servers of organizations; mailboxes in the cloud are signed in to at `cloud`. */
  | { kind: 'own_exchange'; cloud: ProviderKind }

/** A provider's own sign-in page is the right way to an account, or the only one. */
export interface FormInstead {
  provider: ProviderKind
  /** The name that users know. */
  vendor: string
  /** None: no password opens the account. Perhaps: so it seems by where its mail goes, which may be a filter alone. */
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

/** What is known when the form is shown. */
export interface FormFacts {
  email: string
  /** One of `vendors`, where the user chose it. */
  vendor?: string | undefined
  /** The hosts that take the domain's mail, the best first. */
  exchanges: readonly string[]
  /** Where the domain says its services are, by their names. */
  services: Readonly<Record<string, ServiceHost | undefined>>
  /** The application wants to send. */
  sends: boolean
}

export interface CredentialForm {
  /** What users know the provider as; none where it stands for accounts anywhere. */
  title?: string
  /** Whether accounts at any provider can be signed in to: then it is what an address comes to that belongs to no other. */
  anyAddress?: true
  /** Names that users know, under which accounts of this kind run; those that another kind serves too say which. */
  vendors: readonly { id: string; title: string; provider?: string | undefined }[]
  /** Services to ask the domain for (SRV records, RFC 6186), such as `_imaps._tcp`. */
  services?: readonly string[]
  shapeFor(facts: FormFacts): FormShape
  /** What the user wrote, as settings of custom authentication; throws `invalid_request` naming `settings.<field>`. */
  settingsOf(email: string, written: Record<string, string>, options: { sends: boolean }): Record<string, unknown>
  /** Settings that must not change where an account is signed in to again. */
  fixed: readonly string[]
}
