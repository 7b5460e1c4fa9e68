CREATE TABLE "box_search" (
	"box_id" text PRIMARY KEY NOT NULL,
	"species" text NOT NULL,
	"trader_name" text NOT NULL,
	"names" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(box_id || E'\n' || species, NFKD), '[\u0300-\u036f]', '', 'g')), 500)) STORED NOT NULL,
	"trader" text collate "C" GENERATED ALWAYS AS (left(lower(regexp_replace(normalize(trader_name, NFKD), '[\u0300-\u036f]', '', 'g')), 500)) STORED NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "box_search" ADD CONSTRAINT "box_search_box_id_boxes_id_fk" FOREIGN KEY ("box_id") REFERENCES "public"."boxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "box_search_names_index" ON "box_search" USING btree ("names");--> statement-breakpoint
CREATE INDEX "box_search_trader_index" ON "box_search" USING btree ("trader");--> statement-breakpoint
CREATE INDEX "box_search_names_trigrams_index" ON "box_search" USING gin (trigrams("names"));--> statement-breakpoint
CREATE INDEX "box_search_trader_trigrams_index" ON "box_search" USING gin (trigrams("trader"));--> statement-breakpoint
CREATE INDEX "boxes_caught_at_id_index" ON "boxes" USING btree ("caught_at","id");--> statement-breakpoint
CREATE INDEX "order_contacts_search_index" ON "order_contacts" USING btree ("search");--> statement-breakpoint
CREATE INDEX "orders_number_reversed_index" ON "orders" USING btree (reverse("number") collate "C");--> statement-breakpoint
CREATE FUNCTION "write_box_search"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "box_search" ("box_id", "species", "trader_name") VALUES (NEW.id, NEW.species, NEW.trader)
  ON CONFLICT ("box_id") DO UPDATE SET "species" = excluded."species", "trader_name" = excluded."trader_name";
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "boxes_named" AFTER INSERT ON "boxes" FOR EACH ROW EXECUTE FUNCTION "write_box_search"();--> statement-breakpoint
CREATE TRIGGER "boxes_renamed" AFTER UPDATE OF "species", "trader" ON "boxes" FOR EACH ROW
  WHEN (OLD."species" IS DISTINCT FROM NEW."species" OR OLD."trader" IS DISTINCT FROM NEW."trader")
  EXECUTE FUNCTION "write_box_search"();--> statement-breakpoint
INSERT INTO "box_search" ("box_id", "species", "trader_name") SELECT "id", "species", "trader" FROM "boxes";
