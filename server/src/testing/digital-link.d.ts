/** A second implementation of GS1 Digital Link, for tests: of what it has, what they use. */
declare module 'digital-link.js' {
  const library: { DigitalLink: (url: string) => { isValid(): boolean } }
  export default library
}
