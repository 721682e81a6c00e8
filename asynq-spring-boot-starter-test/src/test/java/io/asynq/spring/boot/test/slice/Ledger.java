package io.asynq.spring.boot.test.slice;

import org.springframework.stereotype.Component;

/**
 * Has nothing to do with tasks, and would need a database.
 */
@Component
class Ledger {

	void book(String invoice) {
		throw new UnsupportedOperationException(invoice);
	}

}
