CREATE TABLE "favourites" (
	"user_id" text NOT NULL,
	"product_id" text NOT NULL,
	"title" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "favourites_user_id_product_id_pk" PRIMARY KEY("user_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "stock_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"product_id" text,
	"species" text,
	"email" text NOT NULL,
	"address" text NOT NULL,
	"user_id" text,
	"confirm_hash" text,
	"confirmed_at" timestamp with time zone,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_notices_confirmHash_unique" UNIQUE("confirm_hash"),
	CONSTRAINT "stock_notices_address_productId_unique" UNIQUE("address","product_id"),
	CONSTRAINT "stock_notices_address_species_unique" UNIQUE("address","species")
);
--> statement-breakpoint
ALTER TABLE "favourites" ADD CONSTRAINT "favourites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_notices" ADD CONSTRAINT "stock_notices_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_notices" ADD CONSTRAINT "stock_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stock_notices_product_id_index" ON "stock_notices" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "stock_notices_species_index" ON "stock_notices" USING btree ("species");--> statement-breakpoint
CREATE INDEX "stock_notices_user_id_index" ON "stock_notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "stock_notices_ends_at_index" ON "stock_notices" USING btree ("ends_at");