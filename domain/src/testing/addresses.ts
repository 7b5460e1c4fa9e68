import fc from 'fast-check'

const parts = ['/', '\\', '.', '..', '%2e', '%2F', 'a', '//', '?', '#', '%', '@', ':', 'evil.example']

/** Addresses that readers may take for different places: what browsers turn round, leave out or read as a host. */
export const ambiguousAddress: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...parts), { maxLength: 12 })
  .map((some) => some.join(''))
