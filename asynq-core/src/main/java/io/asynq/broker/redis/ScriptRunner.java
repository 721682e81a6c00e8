package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * The one way to Redis: turns arguments into bytes and Redis's errors into ours. Safe for
 * concurrent use.
 */
final class ScriptRunner {

	private final RedisTemplate<String, byte[]> template;

	ScriptRunner(RedisTemplate<String, byte[]> template) {
		this.template = template;
	}

	/**
	 * Runs a script that answers with an integer.
	 * @param script the script
	 * @param subject what it is about, for error messages: "queue 'default'"
	 * @param keys its KEYS
	 * @param args its ARGV: {@code byte[]}, {@code String}, {@code Integer} or
	 * {@code Long}
	 * @return its answer
	 */
	long runLong(LuaScript script, String subject, List<String> keys, Object... args) {
		return call(script.name(), subject, () -> this.template.execute(script.returningLong(),
				RedisSerializer.byteArray(), number(), keys, toBytes(args)));
	}

	/**
	 * Runs a script that answers with an array.
	 * @param script the script
	 * @param subject what it is about, for error messages: "queue 'default'"
	 * @param keys its KEYS
	 * @param args its ARGV: {@code byte[]}, {@code String}, {@code Integer} or
	 * {@code Long}
	 * @return its answer: {@code Long} and {@code byte[]}
	 */
	List<Object> runList(LuaScript script, String subject, List<String> keys, Object... args) {
		return call(script.name(), subject, () -> this.template.execute(script.returningList(),
				RedisSerializer.byteArray(), asIs(), keys, toBytes(args)));
	}

	/**
	 * Runs a script that answers with one integer per item.
	 * @param script the script
	 * @param subject what it is about, for error messages
	 * @param keys its KEYS
	 * @param args its ARGV
	 * @return its answer
	 */
	int[] runCodes(LuaScript script, String subject, List<String> keys, List<Object> args) {
		List<Object> answer = runList(script, subject, keys, args.toArray());
		int[] codes = new int[answer.size()];
		for (int i = 0; i < codes.length; i++) {
			codes[i] = ((Long) answer.get(i)).intValue();
		}
		return codes;
	}

	/**
	 * Runs plain commands.
	 * @param <T> what comes back
	 * @param name the command, for error messages
	 * @param subject what it is about, for error messages
	 * @param command the commands
	 * @return what came back
	 */
	<T> T run(String name, String subject, Function<RedisTemplate<String, byte[]>, T> command) {
		return call(name, subject, () -> command.apply(this.template));
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static RedisSerializer<Long> number() {
		return (RedisSerializer) RedisSerializer.byteArray();
	}

	/**
	 * Leaves the bytes within an array as they are.
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static RedisSerializer<List<Object>> asIs() {
		return (RedisSerializer) RedisSerializer.byteArray();
	}

	private static <T> T call(String name, String subject, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (DataAccessException | IllegalStateException ex) {
			throw translate(name, subject, ex);
		}
	}

	/**
	 * Translates what Spring Data Redis throws.
	 * @param name the command or script
	 * @param subject what it was about
	 * @param ex what was thrown
	 * @return what to throw instead
	 */
	static AsynqException translate(String name, String subject, RuntimeException ex) {
		Throwable root = (ex.getCause() != null) ? ex.getCause() : ex;
		if (ex instanceof RedisConnectionFailureException || ex instanceof DataAccessResourceFailureException
				|| ex instanceof QueryTimeoutException || ex instanceof IllegalStateException) {
			return new BrokerUnavailableException(
					"Redis cannot be reached (" + name + ", " + subject + "): " + root.getMessage(), ex);
		}
		return new BrokerException(
				"Redis refused " + name + " for " + subject + ": " + root.getMessage() + advice(root.getMessage()), ex);
	}

	private static String advice(@Nullable String message) {
		if (message == null) {
			return "";
		}
		if (message.contains("NOAUTH") || message.contains("WRONGPASS")) {
			return " (check spring.data.redis.username and password)";
		}
		if (message.contains("NOPERM")) {
			return " (the Redis user lacks this right)";
		}
		if (message.contains("OOM ")) {
			return " (Redis has reached maxmemory; free memory or raise it)";
		}
		return message.contains("READONLY") ? " (this is a replica; connect to the primary)" : "";
	}

	private static Object[] toBytes(Object[] args) {
		Object[] bytes = new Object[args.length];
		for (int i = 0; i < args.length; i++) {
			bytes[i] = (args[i] instanceof byte[]) ? args[i] : args[i].toString().getBytes(StandardCharsets.UTF_8);
		}
		return bytes;
	}

}
