/**
 * Refusals of well-known services whose words do not say what to do. The enhanced status code (RFC 3463) alone is not
 * enough: services use the same one for different causes.
 */
interface KnownRefusal {
  pattern: RegExp
  remedy: string
}

/** https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online */
const passwordRefusals: readonly KnownRefusal[] = [
  {
    pattern: /\b5\.7\.30\b.*basic authentication/is,
    remedy:
      'Exchange Online takes no user name and password for sending: connect the account with the provider microsoft',
  },
  {
    pattern: /\b5\.7\.139\b.*(?:smtpclientauthentication|basic authentication) is disabled/is,
    remedy:
      'sending with user name and password is turned off for this mailbox at Microsoft 365: connect the account with the provider microsoft, or let the administrator turn on authenticated SMTP',
  },
]

const messageRefusals: readonly KnownRefusal[] = [
  {
    pattern: /\b5\.7\.23[23]\b/,
    remedy:
      'the organization has sent to as many external recipients as Exchange Online allows in 24 hours: send later',
  },
  {
    pattern: /\b5\.7\.236\b/,
    remedy:
      'Exchange Online allows few external recipients from addresses that end with onmicrosoft.com: send from a domain of your own',
  },
  {
    pattern: /\b5\.7\.515\b/,
    remedy: 'Outlook.com requires SPF, DKIM and DMARC of the domain in From: set them up for it',
  },
  {
    pattern: /\b5\.7\.26\b.*(?:unauthenticated|not authenticated|spf|dkim|dmarc)/is,
    remedy: 'Gmail requires SPF or DKIM of the domain in From: set them up for it',
  },
]

const remedyIn = (refusals: readonly KnownRefusal[], reply: string): string | undefined =>
  refusals.find(({ pattern }) => pattern.test(reply))?.remedy

/** What to do about a refused password where another password would not help. */
export const passwordRemedy = (reply: string): string | undefined => remedyIn(passwordRefusals, reply)

/** What to do about a refused message. */
export const messageRemedy = (reply: string): string | undefined =>
  remedyIn([...passwordRefusals, ...messageRefusals], reply)
