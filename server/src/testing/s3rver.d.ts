/** What the tests use of a package that has no types of its own. */
declare module '@20minutes/s3rver' {
  type Options = {
    directory: string
    port: number
    address: string
    silent: boolean
    configureBuckets: { name: string }[]
  }
  export default class S3rver {
    constructor(options: Options)
    /** Listens, and answers where. */
    run(): Promise<{ port: number }>
  }
}
