package io.asynq.reliability.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.asynq.TaskState;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Asks the inspectors of both worlds.
 *
 * @param connections how Redis is reached
 * @param goProgram the Go program
 * @param goAddress the address for Go, {@code null} if Go is not asked
 */
public record Inspectors(RedisConnectionFactory connections, Path goProgram, @Nullable String goAddress) {

	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	/**
	 * Returns who can be asked.
	 * @return by name what gives numbers by queue, or fails
	 */
	Map<String, Supplier<Map<String, QueueNumbers>>> all() {
		Map<String, Supplier<Map<String, QueueNumbers>>> all = new LinkedHashMap<>();
		all.put("AsynqInspector", this::java);
		String address = this.goAddress;
		if (address != null) {
			all.put("Go's Inspector", () -> go(this.goProgram, address));
		}
		return all;
	}

	private Map<String, QueueNumbers> java() {
		AsynqInspector inspector = AsynqInspector.create(
				new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
				}), Clock.systemUTC());
		Map<String, QueueNumbers> numbers = new TreeMap<>();
		inspector.queues().forEach((queue) -> numbers.put(queue, numbers(inspector.queueInfo(queue))));
		return numbers;
	}

	private static QueueNumbers numbers(QueueInfo info) {
		return new QueueNumbers(info.queue(), info.size(), info.size(TaskState.PENDING), info.size(TaskState.ACTIVE),
				info.size(TaskState.SCHEDULED), info.size(TaskState.RETRY), info.size(TaskState.ARCHIVED),
				info.size(TaskState.COMPLETED), info.size(TaskState.AGGREGATING), info.processedTotal(),
				info.failedTotal());
	}

	private static Map<String, QueueNumbers> go(Path program, String address) {
		try {
			Process process = new ProcessBuilder(program.toString(), "inspect", "-redis", address)
				.redirectErrorStream(true)
				.start();
			String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(said.trim());
			}
			Map<String, QueueNumbers> numbers = new TreeMap<>();
			JSON.readValue(said, new TypeReference<List<QueueNumbers>>() {
			}).forEach((queue) -> numbers.put(queue.queue(), queue));
			return numbers;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Go's Inspector was asked", ex);
		}
	}

}
