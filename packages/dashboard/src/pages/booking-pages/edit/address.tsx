import { AreaField, CheckField, TextField } from '../../../components/form.tsx'
import { setScheduler } from '../changes.ts'
import { pageUrl } from '../embed.ts'
import { slugPattern } from '../slug.ts'
import { Section, type SectionProps, textOr } from './section.tsx'

export function AddressSection({ application, draft, edit }: SectionProps) {
  return (
    <Section title="Address and access" lead="Link, and sites that may embed the page">
      <TextField
        optional
        label="Link"
        name="slug"
        pattern={slugPattern}
        maxLength={256}
        hint={
          <span className="wrap">
            {draft.slug ? pageUrl(application, draft) : 'Without it, the page has no short address.'}
          </span>
        }
        value={draft.slug ?? ''}
        onChange={(text) => edit((now) => ({ ...now, slug: textOr(text) ?? null }))}
      />
      <CheckField
        label="Private"
        name="requires_session_auth"
        hint="Guests need a session, which your application creates."
        checked={draft.requires_session_auth}
        onChange={(requires_session_auth) => edit((now) => ({ ...now, requires_session_auth }))}
      />
      <AreaField
        optional
        mono
        label="Sites that may embed the page"
        name="embed_origins"
        rows={3}
        placeholder="https://example.com"
        hint="One origin per line: scheme and host, without a path."
        value={draft.embed_origins.join('\n')}
        onChange={(text) => edit((now) => ({ ...now, embed_origins: text === '' ? [] : text.split(/\r?\n/) }))}
      />
      <TextField
        optional
        label="Page after booking"
        name="scheduler.confirmation_redirect_url"
        type="url"
        placeholder="https://"
        maxLength={2048}
        hint="Guests go there after booking, with the details in the query."
        value={draft.scheduler.confirmation_redirect_url ?? ''}
        onChange={(text) => edit(setScheduler({ confirmation_redirect_url: textOr(text) }))}
      />
    </Section>
  )
}
