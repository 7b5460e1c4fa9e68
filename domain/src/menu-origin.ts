/**
 * What a menu has to say of seafood's origin: Australian, imported or mixed; null: it is not stated.
 * Source: orders.md 'What must stand beside the fish'.
 * @param origin countries with commas between, as an order's line has them
 */
export function menuOrigin(origin: string | null): 'A' | 'I' | 'M' | null {
  const countries = (origin ?? '').split(',').flatMap((country) => country.trim().toLowerCase() || [])
  if (countries.length === 0) return null
  const local = countries.filter((country) => country === 'australia').length
  return local === countries.length ? 'A' : local === 0 ? 'I' : 'M'
}
