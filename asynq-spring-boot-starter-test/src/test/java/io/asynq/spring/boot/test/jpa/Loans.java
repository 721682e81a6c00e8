package io.asynq.spring.boot.test.jpa;

import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes an entity, and enqueues if that is committed.
 */
@Component
class Loans {

	private final Books books;

	private final AsynqClient client;

	Loans(Books books, AsynqClient client) {
		this.books = books;
		this.client = client;
	}

	@Transactional
	public TaskInfo lend(String title) {
		this.books.save(new Book(title));
		return this.client.afterCommit().enqueue("loan:remind", title);
	}

}
