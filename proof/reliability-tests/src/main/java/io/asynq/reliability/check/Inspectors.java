package io.asynq.reliability.check;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.reliability.check.Invariant.Found;
import io.asynq.test.process.Command;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Queries the inspectors of Go and Java. */
public record Inspectors(RedisConnectionFactory connections, Path goProgram, @Nullable String goAddress) {

	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	void compare(Collection<QueueView> queues, Found found) {
		compare("AsynqInspector", this::java, queues, found);
		String address = this.goAddress;
		if (address != null) {
			compare("Go's Inspector", () -> go(this.goProgram, address), queues, found);
		}
	}

	private static void compare(String inspector, Supplier<Map<String, QueueNumbers>> reading,
			Collection<QueueView> queues, Found found) {
		try {
			Map<String, QueueNumbers> answer = reading.get();
			for (QueueView queue : queues) {
				QueueNumbers expected = expected(queue);
				QueueNumbers actual = answer.get(queue.queue());
				found.addIf(!expected.equals(actual), inspector, "says " + actual + ", Redis has " + expected);
			}
		}
		catch (RuntimeException ex) {
			found.add(inspector, "fails: " + ex.getMessage());
		}
	}

	private static QueueNumbers expected(QueueView queue) {
		// No number includes staged tasks
		long size = Arrays.stream(Container.values())
			.filter((container) -> container != Container.STAGED)
			.mapToLong(queue::size)
			.sum();
		return new QueueNumbers(queue.queue(), size, queue.size(Container.PENDING), queue.size(Container.ACTIVE),
				queue.size(Container.SCHEDULED), queue.size(Container.RETRY), queue.size(Container.ARCHIVED),
				queue.size(Container.COMPLETED), queue.size(Container.GROUP), queue.processed(), queue.failed());
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

	/** What an inspector says of a queue, named as in the Go program's JSON. */
	private record QueueNumbers(String queue, long size, long pending, long active, long scheduled, long retry,
			long archived, long completed, long aggregating, long processed, long failed) {

	}

}
