UPDATE "product_boxes" SET "unit" = "products"."unit" FROM "products" WHERE "products"."id" = "product_boxes"."product_id" AND "product_boxes"."unit" IS NULL;--> statement-breakpoint
UPDATE "box_losses" SET "unit" = "products"."unit" FROM "products" WHERE "products"."id" = "box_losses"."product_id" AND "box_losses"."unit" IS NULL;--> statement-breakpoint
ALTER TABLE "box_losses" ALTER COLUMN "unit" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "product_boxes" ALTER COLUMN "unit" SET NOT NULL;