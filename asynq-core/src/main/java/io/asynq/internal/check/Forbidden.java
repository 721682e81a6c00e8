package io.asynq.internal.check;

import java.util.List;

import io.asynq.BrokerException;

/** Versions of Redis, and scripts, say it in different words. */
final class Forbidden {

	private static final List<String> WORDS = List.of("NOPERM", "can't run this command", "ACL failure in script");

	private Forbidden() {
	}

	static boolean is(BrokerException error) {
		return WORDS.stream().anyMatch(String.valueOf(error.getMessage())::contains);
	}

}
