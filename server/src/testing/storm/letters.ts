import PostalMime from 'postal-mime'

/** What an email of the storm is about; null: something that no invariant looks at. */
export type LetterKind =
  | 'placed'
  | 'amended'
  | 'changed'
  | 'left-out'
  | 'moved'
  | 'ready'
  | 'sent'
  | 'cancelled'
  | 'unpaid'
  | 'refunded'
  | 'recalled'
  | 'withdrawn'
  | 'waiting'
  | 'back'

/** An email that the mail server took. `number`: of the order that it is about. */
export type Letter = {
  id: string
  to: string
  subject: string
  text: string
  /** The link by which mail programs stop such emails. */
  stop: string
  kind: LetterKind | null
  number: string | null
}

const NUMBER = String.raw`(BF-\d{4}-\d+)`

/** By their subjects, as a buyer tells them apart. */
const kinds: readonly (readonly [LetterKind, RegExp])[] = [
  ['recalled', new RegExp(`^Do not eat it: recall of fish in your order ${NUMBER}$`)],
  ['withdrawn', new RegExp(`^The recall of fish in your order ${NUMBER} was withdrawn$`)],
  ['amended', new RegExp(`^Your order ${NUMBER} was changed$`)],
  ['changed', new RegExp(`^Your order ${NUMBER} was weighed$`)],
  ['left-out', new RegExp(`^Something was left out of your order ${NUMBER}$`)],
  ['moved', new RegExp(`^A new time for your order ${NUMBER}$`)],
  ['ready', new RegExp(`^Your order ${NUMBER} is ready$`)],
  ['sent', new RegExp(`^Your order ${NUMBER} is on its way$`)],
  ['cancelled', new RegExp(`^Your order ${NUMBER} was cancelled$`)],
  ['unpaid', new RegExp(`^Your card was not charged for order ${NUMBER}$`)],
  ['refunded', new RegExp(`^Your card payment for order ${NUMBER} was refunded$`)],
  ['placed', new RegExp(`^Your order ${NUMBER}$`)],
  ['back', / is back$/],
  ['waiting', /^Please confirm your order$/],
]

/** Reads an email as a mail server got it. */
export async function letterOf({ raw, to }: { raw: Buffer; to: readonly string[] }): Promise<Letter> {
  const { messageId = '', subject = '', text = '', headers } = await PostalMime.parse(raw)
  const stop = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
  const letter = { id: messageId, to: to[0] ?? '', subject, text, stop }
  for (const [kind, pattern] of kinds) {
    const found = pattern.exec(subject)
    if (found) return { ...letter, kind, number: found[1] ?? null }
  }
  return { ...letter, kind: null, number: null }
}

/** Reads each email once, however often it is asked for. */
export function letterReader(mails: readonly { raw: Buffer; to: string[] }[]) {
  const read: Letter[] = []
  return async (): Promise<readonly Letter[]> => {
    for (const mail of mails.slice(read.length)) read.push(await letterOf(mail))
    return read
  }
}
