package io.asynq.cli.connect;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where Redis is and how to log in.
 *
 * @param kind what kind of Redis
 * @param nodes its nodes, or its sentinels
 * @param master the name that sentinels know it by, {@code null} without sentinels
 * @param database the number of the database
 * @param login who logs in
 * @param tls how to encrypt, {@code null} for not at all
 */
record RedisAddress(Kind kind, List<Node> nodes, @Nullable String master, int database, Login login,
		@Nullable Tls tls) {

	/** What kind of Redis. */
	enum Kind {

		STANDALONE, SENTINEL, CLUSTER

	}

	/** One host. */
	record Node(String host, int port) {
	}

	/** Who logs in; both may be missing. */
	record Login(@Nullable String username, @Nullable String password) {
	}

	/**
	 * How to encrypt.
	 *
	 * @param server the name to expect in the certificate, {@code null} for the host's
	 * @param insecure whether to accept any certificate
	 */
	record Tls(@Nullable String server, boolean insecure) {
	}

}
