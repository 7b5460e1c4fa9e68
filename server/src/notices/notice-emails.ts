import { endpoint, urlOf } from '@befaqt/domain/api/endpoint'
import { HOUR_MS } from '@befaqt/domain/durations'
import type { EmailName } from '@befaqt/domain/email-texts'
import { productPath } from '@befaqt/domain/page-paths'
import type { Tx } from '#server/db/client.ts'
import {
  buttonOf,
  type EmailContent,
  type EmailTexts,
  type Filling,
  filledEmail,
  note,
} from '#server/mail/email-content.ts'
import { type NewEmail, queueEmails } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/*
 * Emails to who wants to be told. Names in them are the shop's own, never what somebody typed, and each has the link that
 * stops them: mail programs send a form there by themselves (RFC 8058), and who opens it gets a page with a button, since
 * programs that look for viruses open links.
 */

type EmailDeps = {
  now: () => Date
  secrets: Secrets
  config: { PUBLIC_URL: string }
} & EmailTexts

type To = { to: string; name: string; address: string }

/** What mail programs call by themselves, at the address of the page that people open. */
export const stopByMail = endpoint('POST', '/user/notice/stop/:key')

const confirmPage = (token: string): string => `/user/notice/confirm/${token}`

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function contentOf(deps: EmailDeps, address: string, name: EmailName, filling: Filling): EmailContent {
  const stop = `${deps.config.PUBLIC_URL}${urlOf(stopByMail, { params: { key: address } })}`
  return { ...filledEmail(deps, name, filling), stop }
}

const queue = (tx: Tx, { secrets, now }: EmailDeps, emails: readonly NewEmail[]): Promise<void> =>
  queueEmails(tx, secrets, emails, now())

/** Asks whether it was the owner of the address who wants to be told. */
export async function mailConfirm(
  tx: Tx,
  deps: EmailDeps,
  { to, name, address, token, hours }: To & { token: string; hours: number },
): Promise<void> {
  const content = contentOf(deps, address, 'stock-confirm', {
    what: capital(name),
    links: [
      buttonOf(deps, 'stock-confirm', `${deps.config.PUBLIC_URL}${confirmPage(token)}`),
      note(`The link works within ${hours} hours. It was not you? Then do nothing: nothing else is sent.`),
    ],
  })
  const goodUntil = new Date(deps.now().getTime() + hours * HOUR_MS)
  await queue(tx, deps, [{ kind: 'stock-confirm', to, content, goodUntil }])
}

/** Tells an owner whose address was typed that it waits already, or for too much. */
export async function mailWaiting(
  tx: Tx,
  deps: EmailDeps,
  { to, name, address, isTooMuch }: To & { isTooMuch: boolean },
): Promise<void> {
  const answered = isTooMuch
    ? 'This address waits for so much already that nothing was added.'
    : 'This address waits for it already: you get one email then, and nothing changed.'
  const warning = [note('It was not you? Then do nothing.')]
  const content = contentOf(deps, address, 'stock-waiting', { what: capital(name), answered, warning })
  await queue(tx, deps, [{ kind: 'stock-waiting', to, content }])
}

/**
 * One email for each wish whose cause is there now. `id`: the wish's, so that a mail program shows it once. What is said of a
 * kind, and where its link leads, stays true whichever product of it is left when the email is sent.
 */
export function mailBack(
  tx: Tx,
  deps: EmailDeps,
  wishes: readonly { id: string; email: string; address: string; receipt: string }[],
  { id, title, species }: { id: string; title: string; species: string | null },
): Promise<void> {
  const [news, what, path] =
    species === null
      ? [`${title} is back`, title, productPath(id)]
      : [`${capital(species)} has landed`, capital(species), `/product?q=${encodeURIComponent(species)}`]
  const links = [
    buttonOf(deps, 'stock-back', `${deps.config.PUBLIC_URL}${path}`),
    note('This is the one email that you asked for. You get no more of them for it, unless you ask again.'),
  ]
  const emails = wishes.map(({ id: wish, email, address, receipt }) => ({
    kind: 'stock-back' as const,
    to: email,
    content: contentOf(deps, address, 'stock-back', { news, what, links }),
    receipt,
    id: wish,
  }))
  return queue(tx, deps, emails)
}
