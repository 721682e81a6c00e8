package io.asynq.cli;

import java.util.List;

/**
 * Advice of the library names Spring's properties; here they are flags.
 */
final class FlagWords {

	private static final List<Word> WORDS = List.of(
			new Word("spring.data.redis.host and spring.data.redis.port, or spring.data.redis.url, or the nodes of "
					+ "the cluster or of Sentinel", "--uri, ASYNQ_URI and ~/.asynq.yaml"),
			new Word("spring.data.redis.cluster.nodes instead of spring.data.redis.host and spring.data.redis.port",
					"--cluster, or a URI redis-cluster://"),
			new Word("spring.data.redis.host, or spring.data.redis.url, points", "--uri points"),
			new Word("set spring.data.redis.ssl.bundle to a bundle that trusts the certificate authority of this Redis",
					"set JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=… to a store with its certificate authority"),
			new Word("spring.data.redis.port", "--uri"), new Word("spring.data.redis.username", "--username"),
			new Word("spring.data.redis.password", "--password"), new Word("spring.data.redis.database", "--db"),
			new Word("spring.data.redis.ssl", "--tls"));

	private FlagWords() {
	}

	static String in(String message) {
		String text = message;
		for (Word word : WORDS) {
			text = text.replace(word.property, word.flag);
		}
		return text;
	}

	private record Word(String property, String flag) {
	}

}
