/** A JSON-LD 1.1 processor, for tests: of what it has, what they use; the package has no types. */
declare module 'jsonld' {
  type Loaded = { contextUrl: null; documentUrl: string; document: object }
  type Options = { documentLoader: (url: string) => Promise<Loaded>; safe: boolean }
  const processor: { expand: (document: object, options: Options) => Promise<unknown> }
  export default processor
}
