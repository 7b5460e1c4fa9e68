CREATE TABLE "removed_map_nodes" (
	"value" "bytea" NOT NULL,
	"removed_at" integer NOT NULL
);
--> statement-breakpoint
INSERT INTO "removed_map_nodes" SELECT "value", "removed_at" FROM "map_nodes" WHERE "removed_at" IS NOT NULL;--> statement-breakpoint
DROP INDEX "map_nodes_removed";--> statement-breakpoint
CREATE INDEX "removed_map_nodes_removed_at_index" ON "removed_map_nodes" USING btree ("removed_at");--> statement-breakpoint
ALTER TABLE "map_nodes" DROP COLUMN "removed_at";
