import fc from 'fast-check'

const parts = ['/', '\\', '.', '..', '%2e', '%2F', 'a', '//', '?', '#', '%', '@', ':', 'evil.example']

/** URLs that parsers may read differently: with parts that browsers convert, drop or parse as a host. */
export const ambiguousAddress: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...parts), { maxLength: 12 })
  .map((some) => some.join(''))
