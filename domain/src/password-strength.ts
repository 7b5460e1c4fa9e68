/** How hard a password is to guess, as advice: the rule is six characters. */
export type Strength = { score: 0 | 1 | 2 | 3; label: string }

const LABELS = ['Easy to guess', 'Weak', 'Good', 'Strong'] as const
const COMMON = [
  'password',
  'passw0rd',
  '123456',
  'qwerty',
  'letmein',
  'welcome',
  'abc123',
  'iloveyou',
  'admin',
]

/** Size of the alphabet that a guesser must try for each character. */
function alphabet(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^A-Za-z\d]/, 33],
  ]
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
}

/** Characters that are neither a repeat of the one before nor its successor ('aaa', '123', 'cba'). */
function surprising(password: string): number {
  const codes = [...password].map((char) => char.codePointAt(0) ?? 0)
  return codes.filter((code, i) => i === 0 || Math.abs(code - (codes[i - 1] ?? 0)) > 1).length
}

/**
 * Estimates the entropy in bits: unpredictable characters times bits of the alphabet in use.
 * @param personal known facts about the person (names, address), which lower the estimate
 */
export function passwordStrength(password: string, personal: readonly string[] = []): Strength {
  const low = password.toLowerCase()
  const known = [...COMMON, ...personal.map((word) => word.toLowerCase()).filter((word) => word.length > 2)]
  const found = known.filter((word) => low.includes(word)).reduce((sum, word) => sum + word.length, 0)
  const places = Math.max(0, surprising(password) - found)
  const bits = places * Math.log2(Math.max(alphabet(password), 2))
  const score = bits < 25 ? 0 : bits < 40 ? 1 : bits < 60 ? 2 : 3
  return { score, label: LABELS[score] }
}
