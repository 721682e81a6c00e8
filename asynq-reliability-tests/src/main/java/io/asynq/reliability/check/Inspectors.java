package io.asynq.reliability.check;

import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.asynq.TaskState;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.info.QueueInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.test.process.Command;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Queries the inspectors of Go and Java. */
public record Inspectors(RedisConnectionFactory connections, Path goProgram, @Nullable String goAddress) {

	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

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
		Map<String, QueueNumbers> numbers = new TreeMap<>();
		JSON.readValue(Command.run(program.toString(), "inspect", "-redis", address),
				new TypeReference<List<QueueNumbers>>() {
				})
			.forEach((queue) -> numbers.put(queue.queue(), queue));
		return numbers;
	}

}
