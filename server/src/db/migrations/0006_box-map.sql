-- What was anchored by protocol 1 is kept as it was, in a schema of its own. Its contract can't take a box map.
CREATE SCHEMA "protocol_1";
--> statement-breakpoint
ALTER TABLE "anchor_leaves" SET SCHEMA "protocol_1";
--> statement-breakpoint
ALTER TABLE "anchors" SET SCHEMA "protocol_1";
--> statement-breakpoint
ALTER TABLE "ledgers" SET SCHEMA "protocol_1";
--> statement-breakpoint
ALTER TABLE "ledger_gaps" SET SCHEMA "protocol_1";
--> statement-breakpoint
UPDATE "chain_transactions" SET "kind" = 'former';
--> statement-breakpoint
CREATE TABLE "ledgers" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"contract" text NOT NULL,
	"deployed_by" text,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_gaps" (
	"first_index" integer PRIMARY KEY NOT NULL,
	"last_index" integer NOT NULL,
	"first_time" bigint NOT NULL,
	"last_time" bigint NOT NULL,
	"records" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "anchors" (
	"index" integer PRIMARY KEY NOT NULL,
	"root" text NOT NULL,
	"boxes" integer NOT NULL,
	"records" integer NOT NULL,
	"state" text NOT NULL,
	"tx_hash" text,
	"block_number" bigint,
	"block_time" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "anchors_on_their_way" ON "anchors" USING btree ("index") WHERE state <> 'confirmed';
--> statement-breakpoint
CREATE TABLE "anchor_leaves" (
	"anchor_index" integer NOT NULL,
	"box_id" text NOT NULL,
	"count" integer NOT NULL,
	"head" text NOT NULL,
	"sealed" boolean NOT NULL,
	"path" text NOT NULL,
	"before" text,
	CONSTRAINT "anchor_leaves_anchor_index_box_id_pk" PRIMARY KEY("anchor_index","box_id"),
	CONSTRAINT "anchor_leaves_anchor_index_anchors_index_fk" FOREIGN KEY ("anchor_index") REFERENCES "public"."anchors"("index") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX "anchor_leaves_box_id_anchor_index_index" ON "anchor_leaves" USING btree ("box_id","anchor_index");
--> statement-breakpoint
CREATE TABLE "map_nodes" (
	"value" "bytea" PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL,
	"added_at" integer NOT NULL,
	"removed_at" integer
);
--> statement-breakpoint
CREATE INDEX "map_nodes_added_at_index" ON "map_nodes" USING btree ("added_at");
--> statement-breakpoint
CREATE INDEX "map_nodes_removed" ON "map_nodes" USING btree ("removed_at") WHERE removed_at is not null;
--> statement-breakpoint
CREATE TABLE "grown_boxes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "grown_boxes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"box_id" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "grown_boxes_box_id_index" ON "grown_boxes" USING btree ("box_id");
--> statement-breakpoint
DROP INDEX "boxes_in_next_anchor";
--> statement-breakpoint
ALTER TABLE "boxes" DROP COLUMN "seal_anchored";
--> statement-breakpoint
-- A row that an anchor takes at this moment is locked: the box gets another, since the anchor may not see this change.
CREATE FUNCTION "note_grown_box"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM FROM "grown_boxes" WHERE "box_id" = NEW."id" FOR KEY SHARE SKIP LOCKED;
	IF NOT FOUND THEN
		INSERT INTO "grown_boxes" ("box_id") VALUES (NEW."id");
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "boxes_added" AFTER INSERT ON "boxes"
	FOR EACH ROW WHEN (NEW."count" > 0) EXECUTE FUNCTION "note_grown_box"();
--> statement-breakpoint
CREATE TRIGGER "boxes_grown" AFTER UPDATE ON "boxes"
	FOR EACH ROW WHEN ((OLD."count", OLD."head", OLD."sealed") IS DISTINCT FROM (NEW."count", NEW."head", NEW."sealed"))
	EXECUTE FUNCTION "note_grown_box"();
--> statement-breakpoint
INSERT INTO "grown_boxes" ("box_id") SELECT "id" FROM "boxes" WHERE "count" > 0 ORDER BY "created_at", "id";
