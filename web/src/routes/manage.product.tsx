import { listCategories } from '@befaqt/domain/api/endpoints/categories'
import { listProducts } from '@befaqt/domain/api/endpoints/products'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readManageQuery } from '#web/features/manage/list/list-query.ts'
import { ProductScreen, type ProductsFound } from '#web/features/manage/product/product-screen.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<ProductsFound>

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const products = call(listProducts, { query: readManageQuery(new URL(request.url).searchParams) })
  const categories = call(listCategories).then((all) => all.map(({ _id, title }) => ({ _id, title })))
  return readFor(
    request,
    Promise.all([products, categories]).then(([products, categories]) => ({ products, categories })),
  )
}

export default function ManageProduct() {
  return <ProductScreen found={useLoaderData<Data>()} />
}
