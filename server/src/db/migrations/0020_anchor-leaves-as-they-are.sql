-- Hashes do not get shorter by compression: trying costs an anchor of 10,000 boxes a quarter of the time of its leaves.
ALTER TABLE "anchor_leaves" ALTER COLUMN "path" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "anchor_leaves" ALTER COLUMN "before" SET STORAGE EXTERNAL;
