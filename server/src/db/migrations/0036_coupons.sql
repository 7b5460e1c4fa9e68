CREATE TABLE "coupons" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text collate "C" NOT NULL,
	"percent" integer,
	"amount_cents" bigint,
	"products" jsonb,
	"categories" jsonb,
	"minimum_cents" bigint NOT NULL,
	"first_order" boolean NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"uses" integer,
	"uses_each" integer,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coupons_code_unique" UNIQUE("code")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "coupon_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "coupon" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "coupon_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "waiting_orders" ADD COLUMN "coupon_id" text;--> statement-breakpoint
ALTER TABLE "waiting_orders" ADD COLUMN "coupon" jsonb;--> statement-breakpoint
CREATE INDEX "coupons_created_at_id_index" ON "coupons" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waiting_orders" ADD CONSTRAINT "waiting_orders_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_coupon_index" ON "orders" USING btree ("coupon_id","status") WHERE "orders"."coupon_id" is not null;--> statement-breakpoint
CREATE INDEX "waiting_orders_coupon_id_index" ON "waiting_orders" USING btree ("coupon_id");