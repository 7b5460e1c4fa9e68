import { useLoaderData } from 'react-router'
import { ProductScreen, type ProductsFound } from '#web/features/manage/product/product-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<ProductsFound>

export default function ManageProduct() {
  return <ProductScreen found={useLoaderData<Data>()} />
}
