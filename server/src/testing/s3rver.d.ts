/** Types of the parts that tests use; the package has none. */
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
    /** Listens, and returns its address. */
    run(): Promise<{ port: number }>
  }
}
