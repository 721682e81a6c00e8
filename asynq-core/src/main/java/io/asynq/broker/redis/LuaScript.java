package io.asynq.broker.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * Every script, one file each below {@code asynq/lua}; the file's head says what KEYS and
 * ARGV are and what comes back. The text is read once: asking the resource each time
 * would look up a file's timestamp on every call.
 */
enum LuaScript {

	/** Stores one pending task. */
	ENQUEUE("enqueue/enqueue", Long.class);

	private final RedisScript<?> script;

	LuaScript(String file, Class<?> result) {
		this.script = RedisScript.of(read("/asynq/lua/" + file + ".lua"), result);
	}

	/**
	 * Returns the script for an integer reply.
	 * @return the script
	 */
	@SuppressWarnings("unchecked")
	RedisScript<Long> returningLong() {
		return (RedisScript<Long>) typed(Long.class);
	}

	/**
	 * Returns the script for an array reply of integers and bytes.
	 * @return the script
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	RedisScript<List<Object>> returningList() {
		return (RedisScript) typed(List.class);
	}

	private RedisScript<?> typed(Class<?> type) {
		if (this.script.getResultType() != type) {
			throw new IllegalStateException(this + " returns " + this.script.getResultType());
		}
		return this.script;
	}

	private static String read(String path) {
		try (InputStream in = LuaScript.class.getResourceAsStream(path)) {
			if (in == null) {
				throw new IllegalStateException("Script " + path + " is missing from the class path");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Script " + path + " cannot be read", ex);
		}
	}

}
