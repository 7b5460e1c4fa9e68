const WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]

/** Is this an Australian Business Number: 11 digits, spaces between allowed, with right check digits? Source: ABR. */
export function isAbn(text: string): boolean {
  const digits = text.replaceAll(' ', '')
  if (!/^[1-9]\d{10}$/.test(digits)) return false
  const sum = WEIGHTS.reduce((all, weight, i) => all + weight * (Number(digits[i]) - (i === 0 ? 1 : 0)), 0)
  return sum % 89 === 0
}

/** As it is written: '51 824 753 556'. */
export const abnText = (abn: string): string =>
  abn.replaceAll(' ', '').replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')
