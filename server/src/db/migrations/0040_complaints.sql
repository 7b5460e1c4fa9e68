CREATE TABLE "complaint_photos" (
	"id" text PRIMARY KEY NOT NULL,
	"complaint_id" text NOT NULL,
	"order_id" text NOT NULL,
	"place" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"object_key" text NOT NULL,
	CONSTRAINT "complaint_photos_objectKey_unique" UNIQUE("object_key")
);
--> statement-breakpoint
CREATE TABLE "complaint_words" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "complaint_words_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"complaint_id" text NOT NULL,
	"order_id" text NOT NULL,
	"who" text,
	"text" text NOT NULL,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "complaints" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"status" text NOT NULL,
	"lines" jsonb NOT NULL,
	"wrong" jsonb NOT NULL,
	"wish" text NOT NULL,
	"rounds" integer DEFAULT 1 NOT NULL,
	"answered_at" timestamp with time zone,
	"promised_cents" bigint,
	"refunded_at" timestamp with time zone,
	"refunded_by" text,
	"refund_way" text,
	"about_boxes" boolean NOT NULL,
	"checked_at" timestamp with time zone,
	"checked_by" text,
	"check_found" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "complaint_photos" ADD CONSTRAINT "complaint_photos_complaint_id_complaints_id_fk" FOREIGN KEY ("complaint_id") REFERENCES "public"."complaints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaint_photos" ADD CONSTRAINT "complaint_photos_order_id_order_contacts_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."order_contacts"("order_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaint_words" ADD CONSTRAINT "complaint_words_complaint_id_complaints_id_fk" FOREIGN KEY ("complaint_id") REFERENCES "public"."complaints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaint_words" ADD CONSTRAINT "complaint_words_order_id_order_contacts_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."order_contacts"("order_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "complaints" ADD CONSTRAINT "complaints_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "complaint_photos_complaint_id_place_index" ON "complaint_photos" USING btree ("complaint_id","place");--> statement-breakpoint
CREATE INDEX "complaint_photos_order_id_index" ON "complaint_photos" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "complaint_words_complaint_id_id_index" ON "complaint_words" USING btree ("complaint_id","id");--> statement-breakpoint
CREATE INDEX "complaint_words_order_id_index" ON "complaint_words" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "complaints_order_id_created_at_index" ON "complaints" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "complaints_current_unique" ON "complaints" USING btree ("order_id") WHERE "complaints"."status" in ('OPEN', 'ANSWERED');--> statement-breakpoint
CREATE INDEX "complaints_listed_index" ON "complaints" USING btree (("status" = 'OPEN'),"created_at","id");--> statement-breakpoint
CREATE INDEX "complaints_unchecked_index" ON "complaints" USING btree ("created_at") WHERE "complaints"."about_boxes" and "complaints"."checked_at" is null;--> statement-breakpoint
CREATE INDEX "complaints_updated_at_index" ON "complaints" USING btree ("updated_at");--> statement-breakpoint
CREATE FUNCTION "complaint_photo_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "jobs" ("queue", "payload") VALUES ('files.object', jsonb_build_object('key', OLD."object_key"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "complaint_photos_gone" AFTER DELETE ON "complaint_photos" FOR EACH ROW EXECUTE FUNCTION "complaint_photo_gone"();
