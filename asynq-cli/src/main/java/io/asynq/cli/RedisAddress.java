package io.asynq.cli;

import java.util.List;

import org.jspecify.annotations.Nullable;

record RedisAddress(Kind kind, List<Node> nodes, @Nullable String master, int database, @Nullable String username,
		@Nullable String password, @Nullable Tls tls) {

	enum Kind {

		STANDALONE, SENTINEL, CLUSTER

	}

	record Node(String host, int port) {
	}

	/**
	 * {@code server} is the name to expect in the certificate, {@code null} for the
	 * host's.
	 */
	record Tls(@Nullable String server, boolean insecure) {
	}

}
