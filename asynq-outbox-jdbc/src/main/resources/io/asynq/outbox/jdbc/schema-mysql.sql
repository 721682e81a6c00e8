-- The outbox of asynq. Times are milliseconds since 1970, but for due_at, which is in seconds.
-- Rows with set_aside_at cannot be sent, for the reason in reason.
CREATE TABLE IF NOT EXISTS asynq_outbox (
	id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
	transaction_id VARCHAR(22) NOT NULL,
	ordinal INTEGER NOT NULL,
	created_at BIGINT NOT NULL,
	queue VARCHAR(512) NOT NULL,
	task_id LONGTEXT NOT NULL,
	task_type LONGTEXT NOT NULL,
	message LONGBLOB NOT NULL,
	due_at BIGINT,
	lock_seconds BIGINT,
	replaces_archived BOOLEAN NOT NULL,
	set_aside_at BIGINT,
	reason LONGTEXT,
	INDEX asynq_outbox_waiting (set_aside_at, queue, id)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
