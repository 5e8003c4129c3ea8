/** What a page of ours asks users for, where their provider has no sign-in page of its own: data, so that the page names no provider. */

export interface FormField {
  /** As in the settings of custom authentication. */
  name: string
  label: string
  kind: 'text' | 'password' | 'port'
  /** What stands there before the user writes anything. */
  value?: string | undefined
  hint?: string | undefined
  /** What a browser fills in (HTML, autofill). */
  autocomplete?: string | undefined
  required?: boolean | undefined
}

export interface FormSection {
  title?: string | undefined
  note?: string | undefined
  fields: readonly FormField[]
  /** Most users need not look at it: what stands there is known to be right. */
  folded?: boolean | undefined
}

export interface FormShape {
  /** How to get a password that the provider takes, where the usual one is not. */
  advice?: { text: string; link?: { url: string; label: string } | undefined } | undefined
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
  /** What users know the provider as. */
  title: string
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
