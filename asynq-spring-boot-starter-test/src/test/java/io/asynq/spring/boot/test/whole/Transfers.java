package io.asynq.spring.boot.test.whole;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes to the database, and enqueues if that is committed.
 */
@Component
class Transfers {

	private final JdbcClient database;

	private final AsynqClient client;

	Transfers(JdbcClient database, AsynqClient client) {
		this.database = database;
		this.client = client;
	}

	/**
	 * Books a transfer, unless its id is taken.
	 */
	@Transactional
	public TaskInfo book(String id) {
		TaskInfo task = this.client.afterCommit().enqueue("transfer:confirm", id);
		this.database.sql("INSERT INTO transfer VALUES (?)").param(id).update();
		return task;
	}

}
