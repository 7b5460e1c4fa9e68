CREATE TABLE "sales_parts" (
	"order_id" text NOT NULL,
	"position" integer NOT NULL,
	"day" text collate "C" NOT NULL,
	"product_id" text,
	"customer" text,
	"slot" text,
	"coupon" text,
	"orders" integer NOT NULL,
	"grams" bigint NOT NULL,
	"pieces" bigint NOT NULL,
	"revenue" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"coupons" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	CONSTRAINT "sales_parts_order_id_position_pk" PRIMARY KEY("order_id","position")
);
--> statement-breakpoint
CREATE TABLE "sales_sums" (
	"what" text NOT NULL,
	"period" text collate "C" NOT NULL,
	"key" text collate "C" NOT NULL,
	"orders" integer NOT NULL,
	"grams" bigint NOT NULL,
	"pieces" bigint NOT NULL,
	"revenue" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"coupons" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	CONSTRAINT "sales_sums_what_period_key_pk" PRIMARY KEY("what","period","key")
);
--> statement-breakpoint
CREATE INDEX "sales_sums_empty_index" ON "sales_sums" USING btree ("what") WHERE "sales_sums"."orders" = 0;--> statement-breakpoint
-- Whatever changes an order, the sums of sales hear of it by the outbox: at most 500 orders an event.
CREATE FUNCTION "note_orders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("kind", "keys")
		SELECT 'order.changed', array_agg("id") FROM (
			SELECT "id", (row_number() OVER () - 1) / 500 AS "part" FROM "changed_orders") o
		GROUP BY "part";
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "note_orders_of"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("kind", "keys")
		SELECT 'order.changed', array_agg("order_id") FROM (
			SELECT "order_id", (row_number() OVER () - 1) / 500 AS "part" FROM (
				SELECT DISTINCT "order_id" FROM "changed_rows") d) o
		GROUP BY "part";
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "orders_placed" AFTER INSERT ON "orders"
	REFERENCING NEW TABLE AS "changed_orders" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders"();
--> statement-breakpoint
CREATE TRIGGER "orders_changed" AFTER UPDATE ON "orders"
	REFERENCING NEW TABLE AS "changed_orders" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders"();
--> statement-breakpoint
CREATE TRIGGER "orders_deleted" AFTER DELETE ON "orders"
	REFERENCING OLD TABLE AS "changed_orders" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders"();
--> statement-breakpoint
-- A guest's contact that has had its time: nobody is known any more.
CREATE TRIGGER "order_contacts_deleted" AFTER DELETE ON "order_contacts"
	REFERENCING OLD TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders_of"();
--> statement-breakpoint
-- What was given back.
CREATE TRIGGER "complaints_changed" AFTER UPDATE ON "complaints"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders_of"();
--> statement-breakpoint
CREATE TRIGGER "payments_changed" AFTER UPDATE ON "payments"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_orders_of"();
