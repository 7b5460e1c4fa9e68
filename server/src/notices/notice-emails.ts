import { endpoint, urlOf } from '@befaqt/domain/api/endpoint'
import { HOUR_MS } from '@befaqt/domain/durations'
import { productPath } from '@befaqt/domain/page-paths'
import type { Tx } from '#server/db/client.ts'
import { type Block, button, type EmailContent, note, text } from '#server/mail/email-content.ts'
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
  siteFile: { name: string }
}

type To = { to: string; name: string; address: string }

/** What mail programs call by themselves, at the address of the page that people open. */
export const stopByMail = endpoint('POST', '/user/notice/stop/:key')

const confirmPage = (token: string): string => `/user/notice/confirm/${token}`

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function contentOf(
  { config }: EmailDeps,
  address: string,
  { heading, blocks }: { heading: string; blocks: readonly Block[] },
): EmailContent {
  const stop = `${config.PUBLIC_URL}${urlOf(stopByMail, { params: { key: address } })}`
  return { subject: heading, heading, blocks, stop }
}

const queue = (tx: Tx, { secrets, now }: EmailDeps, emails: readonly NewEmail[]): Promise<void> =>
  queueEmails(tx, secrets, emails, now())

/** Asks whether it was the owner of the address who wants to be told. */
export async function mailConfirm(
  tx: Tx,
  deps: EmailDeps,
  { to, name, address, token, hours }: To & { token: string; hours: number },
): Promise<void> {
  const blocks = [
    text(
      `Somebody asked ${deps.siteFile.name} to send one email to this address when this can be bought: ${capital(name)}.`,
    ),
    button('Yes, tell me', `${deps.config.PUBLIC_URL}${confirmPage(token)}`),
    note(`The link works within ${hours} hours. It was not you? Then do nothing: nothing else is sent.`),
  ]
  const content = contentOf(deps, address, { heading: 'Shall we tell you?', blocks })
  const goodUntil = new Date(deps.now().getTime() + hours * HOUR_MS)
  await queue(tx, deps, [{ kind: 'stock-confirm', to, content, goodUntil }])
}

/** Tells an owner whose address was typed that it waits already, or for too much. */
export async function mailWaiting(
  tx: Tx,
  deps: EmailDeps,
  { to, name, address, isTooMuch }: To & { isTooMuch: boolean },
): Promise<void> {
  const said = isTooMuch
    ? 'This address waits for so much already that nothing was added.'
    : 'This address waits for it already: you get one email then, and nothing changed.'
  const blocks = [
    text(`Somebody asked to be told when this can be bought: ${capital(name)}. ${said}`),
    note('It was not you? Then do nothing.'),
  ]
  await queue(tx, deps, [
    {
      kind: 'stock-waiting',
      to,
      content: contentOf(deps, address, { heading: 'You are on the list', blocks }),
    },
  ])
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
  const [heading, said, path] =
    species === null
      ? [`${title} is back`, title, productPath(id)]
      : [`${capital(species)} has landed`, capital(species), `/product?q=${encodeURIComponent(species)}`]
  const blocks = [
    text(`You wanted to know when it can be bought: ${said} is there now. Nothing of it is kept for you.`),
    button('See it', `${deps.config.PUBLIC_URL}${path}`),
    note('This is the one email that you asked for. You get no more of them for it, unless you ask again.'),
  ]
  const emails = wishes.map(({ id: wish, email, address, receipt }) => ({
    kind: 'stock-back' as const,
    to: email,
    content: contentOf(deps, address, { heading, blocks }),
    receipt,
    id: wish,
  }))
  return queue(tx, deps, emails)
}
