package io.asynq.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.Text;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Redis executes while it is out of memory and evicts nothing: every script of the
 * resources folder is run so. Each call finds what it needs, because memory is given back
 * between calls.
 */
class FullRedisIT {

	private static final Pattern REFUSED = Pattern.compile("(\\S+) for .*OOM ");

	/** What adds work, or lets it grow. */
	private static final Set<LuaScript> ADDING = Set.of(LuaScript.ENQUEUE, LuaScript.ENQUEUE_WAITING,
			LuaScript.ENQUEUE_PENDING_BATCH, LuaScript.STORE, LuaScript.ENQUEUE_PENDING_BATCH_SEVERAL,
			LuaScript.STORE_SEVERAL, LuaScript.SEND_OUTBOX, LuaScript.FIRE, LuaScript.UPDATE_PAYLOAD,
			LuaScript.WRITE_RESULT);

	@ParameterizedTest
	@ValueSource(strings = { "embedded", "path" })
	void onlyWhatAddsWorkIsRefusedByFullRedis(String version) {
		TestRedis redis = TestRedis.startOwnOf(version);
		JedisConnectionFactory factory = RedisExtension.connectionFactory(redis);
		try {
			List<String> errors = new EveryCall(factory, factory, (call) -> () -> {
				redis.node().configure("maxmemory", "1");
				try {
					call.run();
				}
				finally {
					redis.node().configure("maxmemory", "0");
				}
			}).errors();
			Set<String> refused = new TreeSet<>();
			errors.stream().map(REFUSED::matcher).filter(Matcher::find).forEach((found) -> refused.add(found.group(1)));
			// A scheduler's first look at an entry, before any fire
			refused.remove("SET");
			assertThat(refused).containsExactlyInAnyOrderElementsOf(ADDING.stream().map(Enum::name).toList());
			assertThat(errors).allMatch((error) -> error.contains("OOM "));
			assertThat(notRun(factory)).as("scripts that no call has run").isEmpty();
		}
		finally {
			factory.destroy();
			redis.stop();
		}
	}

	private static List<LuaScript> notRun(JedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			List<LuaScript> scripts = new ArrayList<>(List.of(LuaScript.values()));
			List<Boolean> known = connection.scriptingCommands()
				.scriptExists(scripts.stream().map((script) -> Text.of(script.sha1())).toArray(String[]::new));
			return Stream.of(LuaScript.values())
				.filter((script) -> !known.get(script.ordinal()) && !script.isReadOnly())
				.filter((script) -> !script.directory().equals("limit"))
				.toList();
		}
	}

}
