package io.asynq.spring.boot.test.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * What is lent. The id is the application's own, so it is written when the transaction
 * commits.
 */
@Entity
class Book {

	@Id
	private String title = "";

	protected Book() {
	}

	Book(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

}
