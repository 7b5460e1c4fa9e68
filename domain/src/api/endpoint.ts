import type { Paged } from './box-api.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/**
 * What an operation takes and answers, as far as pages use it. `rows`: a list, which is answered whole without a query
 * and as one page with one. The server compares all of it with its schemas (`defineRoutes`).
 */
export type OperationTypes = {
  query?: object
  headers?: Readonly<Record<string, string>>
  body?: unknown
  response?: unknown
  rows?: unknown
}

/** A form with files: `FormData`, for which there is no type here. */
export type FormBody = { append(name: string, value: string): void; get(name: string): unknown }

/** A file: `Blob`, as above. Its type is that of the request. */
export type FileBody = { readonly size: number; readonly type: string }

/** Only in types: what an endpoint carries of its `OperationTypes`. */
declare const operation: unique symbol

/** Method and URL of one operation of the API, written here and nowhere else. */
export type Endpoint<
  M extends Method = Method,
  Url extends string = string,
  Types extends OperationTypes = OperationTypes,
> = { readonly method: M; readonly url: Url; readonly [operation]?: Types }

/** For the third argument of `endpoint`: `types<{ response: Site }>`. Read by the compiler alone. */
export function types<Types extends OperationTypes>(): Types | undefined {
  return undefined
}

/**
 * The endpoint of an operation; what it is exported as is the operation's id. One file for what pages load together, so
 * that the shopper's script has no URLs of managers.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  const M extends Method,
  const Url extends string,
  Types extends OperationTypes = Record<never, never>,
>(method: M, url: Url, _types?: () => Types | undefined): Endpoint<M, Url, Types> {
  return { method, url }
}

export type TypesOf<E> = E extends { readonly [operation]?: infer Types } ? Exclude<Types, undefined> : never

/** The variable parts of a URL: `:name` by name, `*` for the rest of the path. */
export type ParamsOf<Url extends string> = Url extends `${infer Part}/${infer Rest}`
  ? ParamsOf<Part> & ParamsOf<Rest>
  : Url extends `:${infer Name}`
    ? { [Key in Name]: string }
    : Url extends '*'
      ? { '*': string }
      : unknown

/** `{ name: Value }` where there is such a value, optional where all of it may be left out. */
type Given<Name extends string, Value> = unknown extends Value
  ? unknown
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

type QueryOf<Types> = Types extends { query: infer Query } ? Query : unknown
type HeadersOf<Types> = Types extends { headers: infer Headers } ? { headers: Headers } : unknown
type BodyOf<Types> = Types extends { body: infer Body } ? { body: Body } : unknown

/** What the URL of a call is made from. */
export type UrlInputOf<E extends Endpoint> = Given<'params', ParamsOf<E['url']>> &
  Given<'query', QueryOf<TypesOf<E>>>

/** What one call of an endpoint is given. `version`: only this version is changed, else `version.stale`. */
export type InputOf<E extends Endpoint> = UrlInputOf<E> &
  HeadersOf<TypesOf<E>> &
  BodyOf<TypesOf<E>> &
  (E['method'] extends 'GET' ? unknown : { version?: number })

/** What an endpoint answers to a call with input. */
export type AnswerOf<E extends Endpoint> =
  TypesOf<E> extends { rows: infer Row }
    ? Paged<Row>
    : TypesOf<E> extends { response: infer Response }
      ? Response
      : undefined

/** What an endpoint answers to a call without any input. */
export type WholeAnswerOf<E extends Endpoint> = TypesOf<E> extends { rows: infer Row } ? Row[] : AnswerOf<E>

/** One caller for all endpoints. Rejects with the `ShopError` that the server refused with. */
export interface CallEndpoint<Callable extends Endpoint = Endpoint> {
  <E extends Callable>(
    endpoint: E,
    ...none: Record<never, never> extends InputOf<E> ? [] : [input: InputOf<E>]
  ): Promise<WholeAnswerOf<E>>
  <E extends Callable>(endpoint: E, input: InputOf<E>): Promise<AnswerOf<E>>
}

const encodePath = (path = ''): string => path.split('/').map(encodeURIComponent).join('/')

/** The URL of a call, for requests and for links. Empty values of the query are left out. */
export function urlOf<E extends Endpoint>({ url }: E, input: UrlInputOf<E>): string {
  const { params = {}, query = {} } = input as { params?: Record<string, string>; query?: object }
  const path = url.replace(/:(\w+)|\*/g, (_, name) =>
    name ? encodeURIComponent(params[name] ?? '') : encodePath(params['*']),
  )
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return search.length > 0 ? `${path}?${search.join('&')}` : path
}
