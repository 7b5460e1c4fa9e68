CREATE TABLE "box_sums" (
	"box_id" text NOT NULL,
	"measure" text NOT NULL,
	"day" text collate "C" NOT NULL,
	"bought" bigint NOT NULL,
	"sold" bigint NOT NULL,
	"lost" bigint NOT NULL,
	"excellent" bigint NOT NULL,
	"good" bigint NOT NULL,
	"use_soon" bigint NOT NULL,
	"over" bigint NOT NULL,
	CONSTRAINT "box_sums_box_id_measure_pk" PRIMARY KEY("box_id","measure")
);
--> statement-breakpoint
ALTER TABLE "order_line_boxes" ADD COLUMN "word" text;--> statement-breakpoint
CREATE INDEX "box_sums_day_index" ON "box_sums" USING btree ("day");--> statement-breakpoint
-- What is bought, sold or lost of boxes, reports hear of by the outbox: at most 500 boxes an event.
CREATE FUNCTION "note_box_trade"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "events" ("kind", "keys")
		SELECT 'box.traded', array_agg("box_id") FROM (
			SELECT "box_id", (row_number() OVER () - 1) / 500 AS "part" FROM (
				SELECT DISTINCT "box_id" FROM "changed_rows") d) b
		GROUP BY "part";
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "product_boxes_added" AFTER INSERT ON "product_boxes"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "product_boxes_changed" AFTER UPDATE ON "product_boxes"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "product_boxes_deleted" AFTER DELETE ON "product_boxes"
	REFERENCING OLD TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "order_line_boxes_added" AFTER INSERT ON "order_line_boxes"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "order_line_boxes_changed" AFTER UPDATE ON "order_line_boxes"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "order_line_boxes_deleted" AFTER DELETE ON "order_line_boxes"
	REFERENCING OLD TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "box_losses_added" AFTER INSERT ON "box_losses"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "box_losses_changed" AFTER UPDATE ON "box_losses"
	REFERENCING NEW TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
--> statement-breakpoint
CREATE TRIGGER "box_losses_deleted" AFTER DELETE ON "box_losses"
	REFERENCING OLD TABLE AS "changed_rows" FOR EACH STATEMENT EXECUTE FUNCTION "note_box_trade"();
