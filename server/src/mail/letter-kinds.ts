/** Every kind of letter that the shop sends, in words for managers. */
export const letterKinds = {
  activation: 'activation letter',
  'address-taken': 'letter that there is an account already',
  recovery: 'letter to set a new password',
  'password-changed': 'notice of a changed password',
  'second-factor-on': 'notice that the second factor is on',
  'second-factor-off': 'notice that the second factor is off',
  'second-factor-codes': 'notice of new recovery codes',
  'second-factor-code-used': 'notice of a used recovery code',
  'second-factor-passkey-added': 'notice of a new passkey',
  'second-factor-passkey-removed': 'notice of a removed passkey',
} as const
export type LetterKind = keyof typeof letterKinds

const isKnown = (kind: string): kind is LetterKind => Object.hasOwn(letterKinds, kind)

/** What a waiting letter is, in words; one that an older version of the shop queued by its bare name. */
export const letterWords = (kind: string): string =>
  isKnown(kind) ? letterKinds[kind] : `${kind.replaceAll('-', ' ')} letter`
